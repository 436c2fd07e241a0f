/** One HTTP request; `body` is the exact text that was signed. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for a GET. */
  readonly body: string
  /** Timeout from the call to the last byte of the answer, ms. */
  readonly timeoutMs: number
  /**
   * Called synchronously right before the first byte is sent; if it throws, nothing is sent, and the
   * transport rejects with the error.
   */
  readonly beforeSend?: () => void
  /** Aborts the request; only reads have one. */
  readonly signal?: AbortSignal
}

/** One HTTP answer, with any status. */
export interface HttpResponse {
  readonly status: number
  readonly body: string
  /** The Retry-After header, unchanged. */
  readonly retryAfter?: string
}

/**
 * Sends requests to the exchange: over HTTP, or to a simulated exchange in the same process. Rejects without
 * a complete answer. The error of `beforeSend`, or an error whose `sent` is `false`, guarantees that no byte
 * was sent; any other error guarantees nothing.
 */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

/** True if a transport's error guarantees that the request was not sent. */
export function wasNotSent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'sent' in error && error.sent === false
}
