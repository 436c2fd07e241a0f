import { SluiceError } from '../domain/sluice-error.ts'

/** The journal cannot be used, or is damaged from some entry on; trading without it would be guessing. */
export class JournalError extends SluiceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'JOURNAL', reaction: 'halt', cause })
  }
}

/** The journal is of an earlier version, which a start upgrades and a reader does not. */
export class OldJournalError extends JournalError {}
