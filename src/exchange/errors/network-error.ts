import { SluiceError } from '../../domain/sluice-error.ts'

/** A read got no answer; reading again is harmless. */
export class NetworkError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** What happened instead of an answer, a whole sentence. */
  readonly reason: string
  /** HTTP status of what answered instead of the exchange; `undefined` where nothing did. */
  readonly httpStatus: number | undefined

  constructor(endpoint: string, reason: string, cause?: unknown, httpStatus?: number) {
    super(`The exchange gave no answer to ${endpoint}: ${reason} Read it again.`, {
      code: 'NETWORK',
      reaction: 'retry',
      cause,
    })
    this.endpoint = endpoint
    this.reason = reason
    this.httpStatus = httpStatus
  }
}
