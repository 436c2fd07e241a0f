import { existsSync, rmSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { takeFileLock } from '../files/file-lock.ts'
import { makePrivateFile } from '../files/private-file.ts'
import { chainHash, snapshotHash } from './chain-hash.ts'
import type { EntryKind, KlineBlock } from './journal-entry.ts'
import { JournalError } from './journal-error.ts'
import { guarded, openJournalFile } from './journal-file.ts'
import { INSERT_ENTRY } from './journal-schema.ts'
import { journalText } from './journal-text.ts'
import { appendKlines, latestKlinesHash } from './kline-rows.ts'
import type { JournalUpgrade } from './upgrade-journal.ts'
import { verifiedTail } from './verify-chain.ts'

/** An entry to append. */
export interface NewEntry {
  readonly kind: EntryKind
  /** ms UTC. */
  readonly time: number
  readonly body: unknown
  /** Output of the engine, for an `event` only. */
  readonly decisions?: unknown
}

/** The part of a journal that a bot writes with. */
export type JournalWriter = Pick<Journal, 'path' | 'seq' | 'append' | 'commit' | 'snapshot'>

/** Retention of a journal. */
export interface JournalOptions {
  /**
   * Minimum number of readable entries; older ones are dropped once there are twice as many. Default: all.
   */
  readonly keepEntries?: number
}

/**
 * Append-only record of all inputs and decisions of a bot. Entries are collected in one transaction; `commit`
 * makes them durable, and is called before any request is sent to the exchange.
 */
export class Journal {
  readonly path: string
  /** Present if this instance has upgraded it from an earlier version. */
  readonly upgrade: JournalUpgrade | undefined
  /** Removes the files that this instance created. */
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
  /** Error of a failed write: after it, the content of the file is uncertain. */
  #failure: { readonly error: unknown } | undefined

  /**
   * Opens a journal for writing, creating or upgrading the file if needed, readable by its user only. Throws
   * `JournalError` if another process writes it, if it is damaged, or if its hashes do not match from the
   * latest snapshot on; then it removes the files that it created.
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
      // SQLite gives its log and index the mode of this file.
      guarded(path, () => makePrivateFile(path))
      const { database, upgrade } = openJournalFile(path)
      this.#database = database
      this.upgrade = upgrade
      const tail = guarded(path, () => verifiedTail(this.#database, path))
      this.#seq = tail.seq
      this.#hash = tail.hash
      this.#klinesHash = latestKlinesHash(this.#database)
      this.#beginStatement = this.#database.prepare('BEGIN IMMEDIATE')
      this.#commitStatement = this.#database.prepare('COMMIT')
      this.#insert = this.#database.prepare(INSERT_ENTRY)
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

  /** Time of the latest entry, or of a later snapshot after it, ms UTC; `undefined` in an empty journal. */
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

  /**
   * Appends an entry and returns its number; the next `commit` makes it durable. Throws `JournalError`, and
   * after that every write does.
   */
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

  /** Makes all entries so far durable, also against a crash of the machine. */
  commit(): void {
    if (!this.#isOpen) return
    this.#write(() => this.#commitStatement.run())
    this.#isOpen = false
  }

  /**
   * Stores the state after the latest entry, and the klines since the previous snapshot, so that a restart
   * need not replay earlier entries; drops entries beyond the retention.
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

  /** Commits, unless a write failed, closes the file and releases the lock. */
  close(): void {
    if (this.#failure === undefined) this.commit()
    this.#database.close()
    this.#unlock()
  }

  /**
   * Closes the file and removes the files that this journal created; for a start after which nothing needs to
   * be kept.
   */
  discard(): void {
    this.#database.close()
    // While it is locked, no other process can use them.
    this.#removeMade()
    this.#unlock()
  }

  /**
   * Keeps three snapshots: the latest, the one before the first kept entry, and one in between that replaces
   * it once enough entries follow.
   */
  #drop(): void {
    const isWhole = this.#database.prepare('SELECT 1 FROM entries WHERE seq = 1').get() !== undefined
    const rows = this.#database.prepare('SELECT seq FROM snapshots ORDER BY seq').all()
    // Without the dropped entries, the kept ones continue from the first snapshot.
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

  /**
   * Refuses all writes after a failed one: SQLite may have rolled back earlier entries, and the disk may have
   * lost them.
   */
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

/**
 * Lets only one process write a journal; the lock file lies beside it, and the lock ends with the process.
 */
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
