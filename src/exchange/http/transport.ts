/** One HTTP request; `body` is the exact text that was signed. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a GET. */
  readonly body: string
  /** From the call to the last byte of the answer, ms. */
  readonly timeoutMs: number
  /** Called synchronously right before the first byte leaves; an error thrown here keeps every byte back, and the transport rejects with it. */
  readonly beforeSend?: () => void
  /** With a read only: its answer is not wanted any more once this aborts. */
  readonly signal?: AbortSignal
}

/** One HTTP answer, with any status. */
export interface HttpResponse {
  readonly status: number
  readonly body: string
  /** The Retry-After header as it came. */
  readonly retryAfter?: string
}

/**
 * Carries requests to the exchange: over HTTP, or to a simulated exchange in the same process. Rejects where there is
 * no whole answer; the error of `beforeSend`, or an error whose `sent` is `false`, promises that not one byte left, any
 * other error promises nothing.
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

/** Whether a transport's error promises that the request never left. */
export function wasNotSent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'sent' in error && error.sent === false
}
