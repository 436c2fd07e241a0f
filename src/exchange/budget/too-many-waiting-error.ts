import { SluiceError } from '../../domain/sluice-error.ts'

/** More calls want to leave than the limits let through for a while: nothing was sent. */
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
