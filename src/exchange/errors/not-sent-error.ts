import { SluiceError } from '../../domain/sluice-error.ts'

/** The exchange could not be reached, so the request certainly did not arrive: it may be sent again. */
export class NotSentError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string

  constructor(endpoint: string, cause: unknown) {
    super(`The request ${endpoint} was not sent, because the exchange could not be reached; try it again.`, {
      code: 'NOT_SENT',
      reaction: 'retry',
      cause,
    })
    this.endpoint = endpoint
  }
}
