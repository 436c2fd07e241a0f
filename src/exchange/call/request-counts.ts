/** Requests that got one kind of answer. */
export interface RequestCount {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** HTTP status; `none` where no answer came. */
  readonly code: string
  readonly count: number
}

/** Requests that left, by endpoint and status of the answer. */
export class RequestCounts {
  readonly #counts = new Map<string, Map<string, number>>()

  add(endpoint: string, status: number | undefined): void {
    const codes = this.#counts.get(endpoint) ?? new Map<string, number>()
    this.#counts.set(endpoint, codes)
    const code = status === undefined ? 'none' : `${status}`
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }

  get all(): readonly RequestCount[] {
    return [...this.#counts].flatMap(([endpoint, codes]) =>
      [...codes].map(([code, count]) => ({ endpoint, code, count })),
    )
  }
}
