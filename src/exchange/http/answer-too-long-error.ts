import { SluiceError } from '../../domain/sluice-error.ts'

/** An answer exceeded its longest length and was cut off; the transport rejects with this error. */
export class AnswerTooLongError extends SluiceError {
  readonly httpStatus: number
  readonly maxBytes: number

  constructor(httpStatus: number, maxBytes: number) {
    super(`The answer is longer than ${maxBytes} bytes.`, { code: 'ANSWER_TOO_LONG', reaction: 'skip' })
    this.httpStatus = httpStatus
    this.maxBytes = maxBytes
  }
}
