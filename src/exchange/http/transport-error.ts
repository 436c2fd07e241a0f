import { SluiceError } from '../../domain/sluice-error.ts'

/** HTTP brought no whole answer. The caller turns it into the error of its endpoint. */
export class TransportError extends SluiceError {
  /** `false` promises that not one byte of the request left. */
  readonly sent: boolean

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { code: 'TRANSPORT', reaction: 'retry', cause })
    this.sent = sent
  }
}
