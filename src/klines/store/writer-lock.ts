import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file that stands for the right to write; it stays where it is, empty. */
const LOCK_FILE = '.lock'
/** SQLITE_BUSY of sqlite.org/rescode.html. */
const BUSY = 5

/**
 * Takes the right to write in a folder; `undefined` while another process, or this one, has it. It ends with the returned
 * function or with the process, however that ends: what holds it is a lock of the operating system on a file, taken
 * through SQLite, because Node offers none itself.
 */
export function takeWriterLock(folder: string): (() => void) | undefined {
  const database = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 })
  try {
    // Nothing is ever written, so nothing needs to be taken back.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return () => database.close()
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined
    throw error
  }
}
