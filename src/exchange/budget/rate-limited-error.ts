import { SluiceError } from '../../domain/sluice-error.ts'

/** A call that a limit stopped. */
export interface RateLimitedDetails {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** What stops it, as the end of a sentence. */
  readonly what: string
  /** When the call may be made again at the earliest, ms UTC of the client's clock. */
  readonly until: number
  /** The exchange's own refusal, where it was asked. */
  readonly cause?: unknown
}

/** A limit is in the way: the call was kept back, or the exchange turned it away (then `cause` tells). It was not executed. */
export class RateLimitedError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** When the call may be made again at the earliest, ms UTC of the client's clock. */
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
