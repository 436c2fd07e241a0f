import type { DatabaseSync } from 'node:sqlite'
import type { EntryKind, JournalEntry, JournalSnapshot, KlineBlock } from './journal-entry.ts'
import { guarded, openJournalFileToRead } from './journal-file.ts'
import { fromJournalText } from './journal-text.ts'
import { klinesUpTo } from './kline-rows.ts'
import {
  type ChainCheck,
  damageIn,
  type SnapshotRow,
  verifiedBase,
  verifiedSnapshot,
  verifyChain,
} from './verify-chain.ts'

/** Range of entries; default: all. */
export interface EntryRange {
  /** Only entries after this one. */
  readonly after?: number
  /** Only entries up to this one. */
  readonly upTo?: number
}

/** Reads a journal, also of a running bot; it reads committed entries. */
export class JournalReader {
  readonly path: string
  readonly #database: DatabaseSync

  /**
   * Throws `JournalError` for a missing or damaged file, one that is not a journal, or one of another
   * version.
   */
  constructor(path: string) {
    this.path = path
    this.#database = openJournalFileToRead(path)
  }

  /** Verifies the hashes of all entries. */
  verify(): ChainCheck {
    return guarded(this.path, () => verifyChain(this.#database))
  }

  /** The latest snapshot; `undefined` without one. Throws `JournalError` if it is damaged. */
  snapshot(): JournalSnapshot | undefined {
    return snapshotOf(guarded(this.path, () => verifiedSnapshot(this.#database, this.path)))
  }

  /**
   * Snapshot before the first kept entry, if older ones were dropped. Throws `JournalError` if it is damaged.
   */
  base(): JournalSnapshot | undefined {
    return snapshotOf(guarded(this.path, () => verifiedBase(this.#database, this.path)))
  }

  /** Klines up to the entry of a snapshot. Throws `JournalError` if they are damaged. */
  klinesAt({ seq }: JournalSnapshot): readonly KlineBlock[] {
    return guarded(this.path, () => {
      const { blocks, hash, problem } = klinesUpTo(this.#database, seq)
      if (problem !== undefined) throw damageIn(this.#database, this.path, { trusted: 0, problem })
      const row = this.#database.prepare('SELECT klines FROM snapshots WHERE seq = ?').get(seq)
      if (row?.klines !== hash) {
        const problem = `klines before entry ${seq} are missing`
        throw damageIn(this.#database, this.path, { trusted: seq, problem })
      }
      return blocks
    })
  }

  /** Entries in order. */
  *entries({ after = 0, upTo = Number.MAX_SAFE_INTEGER }: EntryRange = {}): Generator<JournalEntry> {
    const rows = this.#database
      .prepare('SELECT seq, time, kind, body, decisions FROM entries WHERE seq > ? AND seq <= ? ORDER BY seq')
      .iterate(after, upTo)
    for (const row of rows) yield entryOf(row)
  }

  /** Number of the latest entry, 0 without one. */
  get lastSeq(): number {
    const row = this.#database.prepare('SELECT max(seq) AS last FROM entries').get()
    return typeof row?.last === 'number' ? row.last : 0
  }

  /** The latest session entry up to an entry; `undefined` if there is none, or it was dropped. */
  sessionBefore(seq: number): JournalEntry | undefined {
    const row = this.#database
      .prepare(
        "SELECT seq, time, kind, body, decisions FROM entries WHERE kind = 'session' AND seq <= ? ORDER BY seq DESC LIMIT 1",
      )
      .get(seq)
    return row && entryOf(row)
  }

  close(): void {
    this.#database.close()
  }
}

function entryOf({ seq, time, kind, body, decisions }: Readonly<Record<string, unknown>>): JournalEntry {
  return {
    seq: seq as number, // STRICT columns
    time: time as number,
    kind: kind as EntryKind, // a CHECK of the table
    body: fromJournalText(body as string),
    decisions: decisions === null ? undefined : fromJournalText(decisions as string),
  }
}

function snapshotOf(row: SnapshotRow | undefined): JournalSnapshot | undefined {
  return row && { seq: row.seq, time: row.time, state: fromJournalText(row.state) }
}
