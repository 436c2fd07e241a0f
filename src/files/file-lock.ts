import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** SQLITE_BUSY of sqlite.org/rescode.html. */
const BUSY = 5

/**
 * Takes the lock that a file stands for; `undefined` while another process, or this one, has it. It ends with the returned
 * function or with the process, however that ends: it is a lock of the operating system, taken through SQLite, because
 * Node offers none itself. The file is made where there is none, and stays, empty, unless its holder removes it. Throws what
 * SQLite says of a file that cannot be opened.
 */
export function takeFileLock(path: string): (() => void) | undefined {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written, so nothing needs to be taken back.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    if (existsSync(path)) return () => database.close()
    // Its holder has removed the file since it was opened: the lock of a file without a name excludes no other process.
    database.close()
    return takeFileLock(path)
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined
    throw error
  }
}
