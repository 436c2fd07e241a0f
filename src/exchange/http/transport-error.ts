import { SluiceError } from '../../domain/sluice-error.ts'

/** HTTP brought no complete answer. The caller turns it into an error of the endpoint. */
export class TransportError extends SluiceError {
  /** `false` guarantees that no byte of the request was sent. */
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { code: 'TRANSPORT', reaction: 'retry', cause })
    this.sent = sent
  }
}
