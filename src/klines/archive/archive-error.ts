import { SluiceError } from '../../domain/sluice-error.ts'

/** The archive did not give a file, or not as it was published; the same download goes on later. */
export class ArchiveError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'ARCHIVE', reaction: 'retry', cause })
  }
}
