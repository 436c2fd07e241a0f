import { existsSync } from 'node:fs'
import { UsageError } from '../domain/sluice-error.ts'
import { JournalReader } from '../journal/journal-reader.ts'

/** Opens the journal that a command names; throws `UsageError` for a missing one. */
export function existingJournal(path: string): JournalReader {
  requireJournal(path)
  return new JournalReader(path)
}

/** Throws `UsageError` for a missing journal. */
export function requireJournal(path: string): void {
  if (existsSync(path)) return
  throw new UsageError(
    `There is no journal at ${path}; give the file that "journal" names in the bot's configuration.`,
  )
}
