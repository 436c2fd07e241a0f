import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_START, chainHash, snapshotHash } from './chain-hash.ts'
import { JournalError } from './journal-error.ts'

/** Where a chain ends that holds. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** What a check of a whole chain found. */
export type ChainCheck =
  | { readonly holds: true; readonly entries: number; readonly end: ChainEnd }
  /** `trusted` is the last entry before the damage, 0 if there is none. */
  | { readonly holds: false; readonly trusted: number; readonly problem: string }

/** A row of `entries` as it stands in the file. */
interface EntryRow {
  readonly seq: number
  readonly time: number
  readonly kind: string
  readonly body: string
  readonly decisions: string | null
  readonly previous: string
  readonly hash: string
}

/** A row of `snapshots` as it stands in the file. */
interface SnapshotRow {
  readonly seq: number
  readonly time: number
  readonly state: string
  readonly hash: string
  readonly chain: string
}

/**
 * The end of the chain, checked from the latest snapshot on; `undefined` for an empty journal. Throws `JournalError`
 * where snapshot or chain do not hold.
 */
export function verifiedTail(database: DatabaseSync, path: string): ChainEnd | undefined {
  const snapshot = verifiedSnapshot(database, path)
  const start = { seq: snapshot?.seq ?? 0, hash: snapshot?.chain ?? CHAIN_START }
  const check = checkChain(database, start, false)
  if (!check.holds) throw damage(path, check.trusted, check.problem)
  return check.end.seq === 0 ? undefined : check.end
}

/** Checks every entry of a journal, from the first that is kept. Reads only. */
export function verifyChain(database: DatabaseSync): ChainCheck {
  return checkChain(database, { seq: 0, hash: CHAIN_START }, true)
}

/** The latest snapshot, checked, or `undefined`; throws `JournalError` for a damaged one. */
export function verifiedSnapshot(database: DatabaseSync, path: string): SnapshotRow | undefined {
  const snapshot = latestSnapshot(database)
  if (snapshot !== undefined) checkSnapshot(snapshot, path)
  return snapshot
}

function latestSnapshot(database: DatabaseSync): SnapshotRow | undefined {
  const row = database.prepare('SELECT seq, time, state, hash, chain FROM snapshots ORDER BY seq DESC').get()
  return row as SnapshotRow | undefined // the columns of a STRICT table have these types
}

function checkSnapshot({ seq, time, state, hash, chain }: SnapshotRow, path: string): void {
  if (snapshotHash(chain, seq, time, state) !== hash) {
    throw damage(path, seq, `the state kept at entry ${seq} is not what was written`)
  }
}

/** Follows the chain after `start`. Where `mayHaveGaps`, entries may be missing, as forgotten ones are. */
function checkChain(database: DatabaseSync, start: ChainEnd, mayHaveGaps: boolean): ChainCheck {
  let end = start
  let entries = 0
  try {
    const rows = database.prepare('SELECT * FROM entries WHERE seq > ? ORDER BY seq').iterate(start.seq)
    for (const raw of rows) {
      const row = raw as unknown as EntryRow // the columns of a STRICT table have these types
      const problem = problemWith(row, end, mayHaveGaps)
      if (problem !== undefined) return { holds: false, trusted: end.seq, problem }
      end = { seq: row.seq, hash: row.hash }
      entries++
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { holds: false, trusted: end.seq, problem: `the file cannot be read on (${reason})` }
  }
  return { holds: true, entries, end }
}

function problemWith(row: EntryRow, end: ChainEnd, mayHaveGaps: boolean): string | undefined {
  const follows = row.seq === end.seq + 1
  if (!follows && !mayHaveGaps) return `entry ${end.seq + 1} is missing`
  if (follows && row.previous !== end.hash) return `entry ${row.seq} does not continue the one before`
  const hash = chainHash(row.previous, { ...row, decisions: row.decisions ?? undefined })
  return hash === row.hash ? undefined : `entry ${row.seq} is not what was written`
}

function damage(path: string, trusted: number, problem: string): JournalError {
  return new JournalError(
    `The journal ${path} is damaged: ${problem}. Entries up to ${trusted} can be trusted. Put the file aside and start with a new journal: the bot then takes its orders and balances from the exchange.`,
  )
}
