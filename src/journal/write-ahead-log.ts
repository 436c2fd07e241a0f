import { closeSync, existsSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

const PAGE_BYTES = 4096
/** How long the log is made, bytes: what is due of it, and what a moment of many orders adds. */
const LENGTH = 512 * PAGE_BYTES
/** Pages after which it is written back into the tables. */
const DUE_PAGES = 256

/**
 * The write-ahead log of a journal's file (`-wal` beside it), kept so that commits are quick. A commit that makes a file
 * longer also waits for the file system's own journal, and one that finds the log full writes it back first; so the log is
 * made long ahead of time, with zeros that SQLite takes for the end of what was written, and written back in calm moments.
 */
export class WriteAheadLog {
  readonly #database: DatabaseSync
  readonly #path: string
  /** Pages since it was written back, about. */
  #pages = 0
  #isLong = false

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = `${path}-wal`
  }

  /** So many bytes were committed. */
  grew(bytes: number): void {
    // The page that was begun before, and one of the tables' inner pages.
    this.#pages += 2 + Math.ceil(bytes / PAGE_BYTES)
  }

  /** Does what would otherwise hold up a commit; to be called between commits, in calm moments. */
  tidy(): void {
    if (!this.#isLong) this.#lengthen()
    if (this.#pages < DUE_PAGES) return
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    this.#pages = 0
  }

  #lengthen(): void {
    if (!existsSync(this.#path)) return
    const file = openSync(this.#path, 'r+')
    try {
      const { size } = fstatSync(file)
      if (size < LENGTH) writeSync(file, Buffer.alloc(LENGTH - size), 0, LENGTH - size, size)
      fsyncSync(file)
      this.#isLong = true
    } finally {
      closeSync(file)
    }
  }
}
