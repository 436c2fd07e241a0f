import { SluiceError } from '../../domain/sluice-error.ts'

/** A read got no answer; it may safely be repeated. */
export class NetworkError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string
  /** Reason, a whole sentence. */
  readonly reason: string
  /** HTTP status of a page that came instead of the exchange's answer; `undefined` without any answer. */
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
