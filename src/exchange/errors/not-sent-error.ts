import { SluiceError } from '../../domain/sluice-error.ts'

/** The exchange could not be reached, so the request certainly did not arrive: it may be sent again. */
export class NotSentError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string

  /** `address`: origin of the URL, such as `https://api.example`. */
  constructor(endpoint: string, address: string, cause: unknown) {
    const reason = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''
    super(`The exchange at ${address} could not be reached${reason}, so the call ${endpoint} was not sent.`, {
      code: 'NOT_SENT',
      reaction: 'retry',
      cause,
    })
    this.endpoint = endpoint
  }
}
