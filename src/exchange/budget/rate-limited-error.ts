import { SluiceError } from '../../domain/sluice-error.ts'

export interface RateLimitedDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Reason, worded as the end of a sentence. */
  readonly what: string
  /** Earliest time for the call, ms UTC of the client's clock. */
  readonly until: number
  /** The exchange's own refusal, if the call was sent. */
  readonly cause?: unknown
}

/**
 * A rate limit stopped the call: Sluice held it back, or the exchange refused it (`cause` is its refusal). It
 * was not executed.
 */
export class RateLimitedError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Earliest time for the call, ms UTC of the client's clock. */
  readonly until: number

  constructor({ endpoint, what, until, cause }: RateLimitedDetails) {
    super(
      `The call ${endpoint} was not executed, because ${what}; call again after ${new Date(until).toISOString()}.`,
      { code: 'RATE_LIMITED', reaction: 'retry', cause },
    )
    this.endpoint = endpoint
    this.until = until
  }
}
