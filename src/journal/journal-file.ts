import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { JournalError, OldJournalError } from './journal-error.ts'
import { SCHEMA, SCHEMA_VERSION } from './journal-schema.ts'
import { type JournalUpgrade, UPGRADED_VERSION, upgradeJournal } from './upgrade-journal.ts'

/** A journal that is open for writing. */
interface OpenJournalFile {
  readonly database: DatabaseSync
  /** Present if its version was an earlier one until now. */
  readonly upgrade?: JournalUpgrade
}

/**
 * Opens the SQLite file of a journal, creating or upgrading it if needed; the caller holds its lock. Every commit waits for the disk
 * (WAL with `synchronous=FULL`). Throws `JournalError` for a file that is not a journal, is damaged, or has a version that
 * is not upgraded.
 */
export function openJournalFile(path: string): OpenJournalFile {
  return guarded(path, () => {
    const database = new DatabaseSync(path)
    try {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
      if (isEmpty(database)) createTables(database)
      else if (versionIn(database) === UPGRADED_VERSION)
        return { database, upgrade: upgradeJournal(database, path) }
      else checkVersion(database, path)
      return { database }
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/**
 * Opens a journal read-only, also while a running bot uses it. Throws `JournalError` as `openJournalFile`
 * does, and for one that a start would upgrade.
 */
export function openJournalFileToRead(path: string): DatabaseSync {
  if (!existsSync(path)) throw new JournalError(`There is no journal at ${path}.`)
  return guarded(path, () => {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      checkVersion(database, path)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Runs work on a journal's file; turns SQLite errors into `JournalError`s. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof JournalError) throw cause
    throw new JournalError(failureText(path, cause), cause)
  }
}

/** Result code of SQLite for a file that does not begin as a database. */
const NOT_A_DATABASE = 26

function failureText(path: string, cause: unknown): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    return `The journal ${path} is a folder; give a file, such as ${join(path, 'paper.journal')}.`
  const reason = cause instanceof Error ? cause.message : String(cause)
  // No command reads an entry of such a file.
  if (cause instanceof Error && 'errcode' in cause && cause.errcode === NOT_A_DATABASE)
    return `The file ${path} is no journal, or its beginning is damaged (${reason}). Give the file that "journal" names in the bot's configuration; in place of a damaged one, put its backup.`
  return `The journal ${path} cannot be read or written (${reason}). Run "npm run replay -- ${path}" to see up to which entry it can be trusted.`
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0
}

function createTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  database.exec(SCHEMA)
  database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('schemaVersion', `${SCHEMA_VERSION}`)
  database.exec('COMMIT')
}

function checkVersion(database: DatabaseSync, path: string): void {
  const version = versionIn(database)
  if (version === undefined) {
    throw new JournalError(`The file ${path} is a database, but no journal of Sluice. Name another file.`)
  }
  if (version === `${SCHEMA_VERSION}`) return
  if (version === UPGRADED_VERSION) {
    throw new OldJournalError(
      `The journal ${path} has version ${version} of an earlier Sluice, and this command changes no journal. Start its bot once with this Sluice ("npm start -- --config FILE"), which copies the journal beside itself and upgrades it.`,
    )
  }
  throw new JournalError(
    `The journal ${path} has version ${version}, but this Sluice reads version ${SCHEMA_VERSION}. Use the Sluice that wrote it, or begin a new journal once the account is flat.`,
  )
}

function versionIn(database: DatabaseSync): unknown {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get()
  if (table === undefined) return undefined
  return database.prepare("SELECT value FROM meta WHERE key = 'schemaVersion'").get()?.value
}
