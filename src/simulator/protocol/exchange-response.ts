/** Delivery of an answer, applied by the transport. Durations are ms of the exchange's clock. */
export interface Delivery {
  /** The request has not been processed: hand it in again after this long, as one that `arrived`. */
  readonly arriveAfterMs?: number
  /** Extra delay of the answer. */
  readonly delayMs?: number
  /** The connection is reset without an answer: `before` the request is processed, or `after`. */
  readonly reset?: 'before' | 'after'
  /** The connection ends after this many bytes of the body. */
  readonly truncateAt?: number
}

/** An answer of the exchange. */
export interface ExchangeResponse {
  /** HTTP status. */
  readonly status: number
  /** JSON text. */
  readonly body: string
  /** Headers beyond the content type, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Set only if the delivery fails or is delayed. */
  readonly delivery?: Delivery
}
