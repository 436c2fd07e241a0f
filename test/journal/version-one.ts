import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { journalPath } from './journal-session.ts'

/** Tables and rows that a bot of version 1 wrote on a spot account of 10,000 USDT until it was killed. */
const WRITTEN = readFileSync(new URL('./version-one.sql', import.meta.url), 'utf8')

/** Entries of it. */
export const VERSION_ONE_ENTRIES = 21

/** A journal of version 1 in a file of its own; returns its path. */
export function versionOneJournal(): string {
  const path = journalPath()
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(WRITTEN)
  database.close()
  return path
}

/** Version in a file. */
export function versionOf(path: string): unknown {
  const database = new DatabaseSync(path)
  try {
    return database.prepare("SELECT value FROM meta WHERE key = 'schemaVersion'").get()?.value
  } finally {
    database.close()
  }
}
