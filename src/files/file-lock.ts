import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Time that `isFileLocked` may take in another process, ms. */
const LOOKING_MS = 100

/** SQLITE_BUSY (sqlite.org/rescode.html). */
const BUSY = 5

/**
 * Takes the lock of a file; `undefined` while it is held by another process, or by this one. The returned
 * function releases it, and so does any end of the process: it is a lock of the operating system, taken
 * through SQLite, because Node offers none itself. The file is created if needed, and stays, empty, unless
 * its holder removes it. Throws the error of SQLite for a file that cannot be opened.
 */
export function takeFileLock(path: string): (() => void) | undefined {
  // A process that only asks whether the file is locked (isFileLocked) reads it for a moment: this one waits for that.
  const database = new DatabaseSync(path, { timeout: LOOKING_MS })
  try {
    // The lock never writes, so it needs no journal for a rollback.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    if (existsSync(path)) return () => database.close()
    // Its holder removed the file after it was opened here: a lock on a deleted file excludes no other
    // process.
    database.close()
    return takeFileLock(path)
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * True while a process, be it this one, holds the lock of a file; false for a file that is not there. It reads for a moment, in which
 * nobody can take the lock: ask seldom. Throws the error of SQLite for a file that cannot be read.
 */
export function isFileLocked(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { readOnly: true, timeout: 0 })
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').all()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    database.close()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY
}
