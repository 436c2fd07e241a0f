/** Requests at once. */
const MOST = 60
/** Requests a second that are gained again. */
const PER_SECOND = 20

/** Bounds how often a session may ask, so that no page can take the time that the bot needs. */
export class RequestBudget {
  readonly #now: () => number
  readonly #left = new Map<string, { left: number; at: number }>()

  /** `now` is in ms and never goes back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** True if a session may ask now, which counts. */
  take(session: string): boolean {
    const now = this.#now()
    const known = this.#left.get(session)
    const left =
      known === undefined ? MOST : Math.min(MOST, known.left + ((now - known.at) * PER_SECOND) / 1000)
    if (left < 1) return false
    this.#left.set(session, { left: left - 1, at: now })
    return true
  }

  /** Forgets a session. */
  forget(session: string): void {
    this.#left.delete(session)
  }
}
