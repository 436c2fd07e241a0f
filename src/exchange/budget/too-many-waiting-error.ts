import { SluiceError } from '../../domain/sluice-error.ts'

/** Too many calls wait for their turn; the call was not sent. */
export class TooManyWaitingError extends SluiceError {
  /** Key of the endpoint. */
  readonly endpoint: string

  constructor(endpoint: string, waiting: number) {
    super(
      `The call ${endpoint} was not sent, because ${waiting} calls wait for their turn already; make fewer calls.`,
      { code: 'TOO_MANY_WAITING', reaction: 'retry' },
    )
    this.endpoint = endpoint
  }
}
