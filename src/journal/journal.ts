import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { takeFileLock } from '../files/file-lock.ts'
import { makePrivateFile } from '../files/private-file.ts'
import { chainHash, snapshotHash } from './chain-hash.ts'
import type { EntryKind, KlineBlock } from './journal-entry.ts'
import { JournalError } from './journal-error.ts'
import { guarded, openJournalFile } from './journal-file.ts'
import { journalText } from './journal-text.ts'
import { appendKlines, latestKlinesHash } from './kline-rows.ts'
import { verifiedTail } from './verify-chain.ts'

/** An entry to append. */
export interface NewEntry {
  readonly kind: EntryKind
  /** ms UTC. */
  readonly time: number
  readonly body: unknown
  /** What the engine gave back; only of an `event`. */
  readonly decisions?: unknown
}

/** What a bot writes its record to. */
export type JournalWriter = Pick<Journal, 'path' | 'seq' | 'append' | 'commit' | 'snapshot'>

/** How much a journal keeps. */
export interface JournalOptions {
  /** Entries that stay readable at least; older ones are dropped once there are twice as many. Default: all. */
  readonly keepEntries?: number
}

/**
 * The append-only record of everything a bot learnt and decided. Entries gather in one transaction; `commit` puts them
 * on the disk for good, and is called before anything leaves for the exchange.
 */
export class Journal {
  readonly path: string
  /** Removes the files that this one made. */
  readonly #removeMade: () => void
  readonly #unlock: () => void
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #beginStatement: StatementSync
  readonly #commitStatement: StatementSync
  readonly #keepEntries: number
  #seq: number
  #hash: string
  #klinesHash: string
  #isOpen = false
  /** What went wrong with a write: nobody knows what stands in the file since. */
  #failure: { readonly error: unknown } | undefined

  /**
   * Opens a journal for writing, making the file where there is none, for its user alone. Throws `JournalError` when another process writes
   * it, when it is damaged, or when its hashes do not hold from the latest snapshot on; the files that it made are gone then.
   */
  constructor(path: string, { keepEntries = Number.POSITIVE_INFINITY }: JournalOptions = {}) {
    this.path = path
    this.#keepEntries = keepEntries
    const made = [path, `${path}-wal`, `${path}-shm`, `${path}.lock`].filter(file => !existsSync(file))
    this.#removeMade = () => {
      for (const file of made) rmSync(file, { force: true })
    }
    this.#unlock = lockJournal(path)
    try {
      // The log and its index get the mode of the file.
      guarded(path, () => makePrivateFile(path))
      this.#database = openJournalFile(path)
      const tail = guarded(path, () => verifiedTail(this.#database, path))
      this.#seq = tail.seq
      this.#hash = tail.hash
      this.#klinesHash = latestKlinesHash(this.#database)
      this.#beginStatement = this.#database.prepare('BEGIN IMMEDIATE')
      this.#commitStatement = this.#database.prepare('COMMIT')
      this.#insert = this.#database.prepare(
        'INSERT INTO entries (seq, time, kind, body, decisions, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
    } catch (error) {
      this.#removeMade()
      this.#unlock()
      throw error
    }
  }

  /** Number of the latest entry, 0 in an empty journal. */
  get seq(): number {
    return this.#seq
  }

  /** Time of the latest entry, or of the state kept after it, which is later, ms UTC; `undefined` in an empty journal. */
  get time(): number | undefined {
    const row = guarded(this.path, () =>
      this.#database
        .prepare(
          'SELECT seq, time FROM (SELECT seq, time FROM entries UNION ALL SELECT seq, time FROM snapshots) ORDER BY seq DESC, time DESC LIMIT 1',
        )
        .get(),
    )
    return typeof row?.time === 'number' ? row.time : undefined
  }

  /** Appends an entry and returns its number; it is on the disk after the next `commit`. Throws `JournalError`, as all that writes does from then on. */
  append({ kind, time, body, decisions }: NewEntry): number {
    const texts = {
      body: journalText(body),
      decisions: decisions === undefined ? undefined : journalText(decisions),
    }
    const seq = this.#seq + 1
    const at = Math.floor(time)
    const hash = chainHash(this.#hash, { seq, time: at, kind, ...texts })
    this.#write(() => {
      this.#begin()
      this.#insert.run(seq, at, kind, texts.body, texts.decisions ?? null, this.#hash, hash)
    })
    this.#seq = seq
    this.#hash = hash
    return seq
  }

  /** Makes every entry so far survive a crash of the process and of the machine. */
  commit(): void {
    if (!this.#isOpen) return
    this.#write(() => this.#commitStatement.run())
    this.#isOpen = false
  }

  /**
   * Keeps the state after the latest entry, and the klines seen since the snapshot before, so that a restart need not run
   * what came before; drops what is no longer to be kept.
   */
  snapshot(time: number, state: unknown, klines: readonly KlineBlock[] = []): void {
    const text = journalText(state)
    const at = Math.floor(time)
    this.#write(() => {
      this.#begin()
      this.#klinesHash = appendKlines(this.#database, klines, this.#seq, this.#klinesHash)
      const [chain, klinesHash] = [this.#hash, this.#klinesHash]
      const hash = snapshotHash({ chain, klines: klinesHash }, this.#seq, at, text)
      this.#database
        .prepare(
          'INSERT OR REPLACE INTO snapshots (seq, time, state, hash, chain, klines) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(this.#seq, at, text, hash, chain, klinesHash)
      this.#drop()
    })
    this.commit()
  }

  /** Commits, unless a write failed, closes the file and lets another process have it. */
  close(): void {
    if (this.#failure === undefined) this.commit()
    this.#database.close()
    this.#unlock()
  }

  /** Closes the file as it is, and removes the files that this journal made: nothing that must be remembered has happened. */
  discard(): void {
    this.#database.close()
    // While it is locked, no other process can have begun with them.
    this.#removeMade()
    this.#unlock()
  }

  /**
   * Of the snapshots stay the latest, the one that the kept entries go on from, and one between them that takes its place
   * once enough entries follow it.
   */
  #drop(): void {
    const isWhole = this.#database.prepare('SELECT 1 FROM entries WHERE seq = 1').get() !== undefined
    const rows = this.#database.prepare('SELECT seq FROM snapshots ORDER BY seq').all()
    // The entries that are left go on from the first snapshot, unless none was dropped.
    const kept = rows.slice(isWhole ? 0 : 1).map(({ seq }) => Number(seq))
    const [next = this.#seq] = kept
    if (this.#seq - next >= this.#keepEntries) {
      this.#database.prepare('DELETE FROM entries WHERE seq <= ?').run(next)
      this.#database.prepare('DELETE FROM snapshots WHERE seq < ?').run(next)
    }
    for (const seq of kept)
      if (seq !== next && seq !== this.#seq)
        this.#database.prepare('DELETE FROM snapshots WHERE seq = ?').run(seq)
  }

  #begin(): void {
    if (this.#isOpen) return
    this.#beginStatement.run()
    this.#isOpen = true
  }

  /** Writes nothing more after a write that failed: SQLite may have given up entries before it, and the disk what it was to keep. */
  #write(work: () => void): void {
    if (this.#failure !== undefined) throw this.#failure.error
    try {
      guarded(this.path, work)
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }
}

/** One process at a time may write a journal; the lock lies beside it, and ends with the process. */
function lockJournal(path: string): () => void {
  const unlock = guarded(path, () => {
    makePrivateFile(`${path}.lock`)
    return takeFileLock(`${path}.lock`)
  })
  if (unlock !== undefined) return unlock
  throw new JournalError(
    `Another bot works with the journal ${path}. Stop it first, or give this one a journal (and a name) of its own.`,
  )
}
