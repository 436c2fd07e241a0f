import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

const PAGE_BYTES = 4096
/** How long the log is made, bytes: what is due of it, and what a moment of many orders adds. */
const LENGTH = 512 * PAGE_BYTES
/** Pages after which it is written back into the tables. */
const DUE_PAGES = 256

/**
 * The write-ahead log of a journal's file (`-wal` beside it), kept so that commits are quick. SQLite leaves it to us to put
 * on the disk what was committed, because it would wait for the file's times too, which a file system that keeps a journal
 * of its own writes and flushes separately. A commit that makes a file longer waits for that as well, and one that finds the
 * log full writes it back first; so the log is made long ahead of time, with zeros that SQLite takes for the end of what was
 * written, and written back in calm moments.
 */
export class WriteAheadLog {
  readonly #database: DatabaseSync
  readonly #path: string
  #file: number | undefined
  /** Pages since it was written back, about. */
  #pages = 0
  #isLong = false

  /** Takes a database in WAL mode that does not wait for the disk when it commits (`synchronous=NORMAL`). */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = `${path}-wal`
  }

  /** Waits until all that was committed, so many bytes since the last time, survives a crash of the machine. */
  sync(bytes: number): void {
    // The page that was begun before, and one of the tables' inner pages.
    this.#pages += 2 + Math.ceil(bytes / PAGE_BYTES)
    if (this.#file === undefined) this.#begin()
    else fdatasyncSync(this.#file)
  }

  /** Does what would otherwise hold up a commit; to be called between commits, in calm moments. */
  tidy(): void {
    if (!this.#isLong) this.#lengthen()
    if (this.#pages < DUE_PAGES) return
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    // Whatever is written first after that begins the log anew, and waits for the disk before it goes on.
    this.#database.exec('PRAGMA user_version = 0')
    this.#pages = 0
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** The log is a file since the first commit, at the latest; its name must be on the disk too. */
  #begin(): void {
    this.#file = openSync(this.#path, 'r+')
    fsyncSync(this.#file)
    syncFolder(dirname(this.#path))
  }

  #lengthen(): void {
    if (this.#file === undefined) return
    const { size } = fstatSync(this.#file)
    if (size < LENGTH) writeSync(this.#file, Buffer.alloc(LENGTH - size), 0, LENGTH - size, size)
    fsyncSync(this.#file)
    this.#isLong = true
  }
}

/** Windows opens no folders, and needs none opened. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
