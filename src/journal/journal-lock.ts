import { DatabaseSync } from 'node:sqlite'
import { JournalError } from './journal-error.ts'

/** The right to write a journal; held by one process at a time. */
export interface JournalLock {
  release(): void
}

/**
 * Takes the lock of a journal, or throws `JournalError` when another process has it. The lock is a transaction on a
 * file beside the journal, so the system lets it go with the process, however that ends: no lock is left to clear away.
 */
export function lockJournal(path: string): JournalLock {
  const database = new DatabaseSync(`${path}.lock`, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw new JournalError(
      `Another bot works with the journal ${path}. Stop it first, or give this one a journal (and a name) of its own.`,
      cause,
    )
  }
  return { release: () => database.close() }
}
