import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_START, chainHash, snapshotHash } from './chain-hash.ts'
import { JournalError } from './journal-error.ts'
import { klinesUpTo } from './kline-rows.ts'

/** End of a valid chain. */
export interface ChainEnd {
  readonly seq: number
  readonly hash: string
}

/** Result of a check of a whole chain. */
export type ChainCheck =
  | { readonly holds: true; readonly entries: number; readonly end: ChainEnd }
  /** `trusted` is the last entry before the damage, 0 if there is none. */
  | { readonly holds: false; readonly trusted: number; readonly problem: string }

/** A row of `entries`, unverified. */
interface EntryRow {
  readonly seq: number
  readonly time: number
  readonly kind: string
  readonly body: string
  readonly decisions: string | null
  readonly previous: string
  readonly hash: string
}

/** A row of `snapshots`, unverified. */
export interface SnapshotRow {
  readonly seq: number
  readonly time: number
  readonly state: string
  readonly hash: string
  readonly chain: string
  readonly klines: string
}

/**
 * End of the chain, verified from the latest snapshot on; entry 0 in an empty journal. Throws `JournalError`
 * if the hash of the snapshot or of an entry does not match.
 */
export function verifiedTail(database: DatabaseSync, path: string): ChainEnd {
  const snapshot = checked(latestSnapshot(database), database, path)
  const start = { seq: snapshot?.seq ?? 0, hash: snapshot?.chain ?? CHAIN_START }
  const check = checkChain(database, start)
  if (!check.holds) throw damageIn(database, path, check)
  return check.end
}

/** Verifies all kept entries, all states and all klines. Reads only. */
export function verifyChain(database: DatabaseSync): ChainCheck {
  const first = Number(database.prepare('SELECT min(seq) AS seq FROM entries').get()?.seq ?? 1)
  const base = first === 1 ? undefined : firstSnapshot(database)
  if (first !== 1 && base?.seq !== first - 1) {
    return {
      holds: false,
      trusted: 0,
      problem: `the state before entry ${first}, the first that is left, is missing`,
    }
  }
  const check = checkChain(database, { seq: base?.seq ?? 0, hash: base?.chain ?? CHAIN_START })
  if (!check.holds) return check
  const klines = klinesUpTo(database, Number.MAX_SAFE_INTEGER)
  if (klines.problem !== undefined) return { holds: false, trusted: 0, problem: klines.problem }
  const damaged = snapshotsIn(database).find(row => !holds(row))
  if (damaged === undefined) return check
  return { holds: false, trusted: damaged.seq, problem: problemOf(damaged) }
}

/** The latest snapshot, verified, or `undefined`; throws `JournalError` if it is damaged. */
export function verifiedSnapshot(database: DatabaseSync, path: string): SnapshotRow | undefined {
  return checked(latestSnapshot(database), database, path)
}

/** The snapshot before the first kept entry, verified; `undefined` if no entry was dropped. */
export function verifiedBase(database: DatabaseSync, path: string): SnapshotRow | undefined {
  const isWhole = database.prepare('SELECT 1 FROM entries WHERE seq = 1').get() !== undefined
  return isWhole ? undefined : checked(firstSnapshot(database), database, path)
}

function checked(
  row: SnapshotRow | undefined,
  database: DatabaseSync,
  path: string,
): SnapshotRow | undefined {
  if (row !== undefined && !holds(row))
    throw damageIn(database, path, { trusted: row.seq, problem: problemOf(row) })
  return row
}

function latestSnapshot(database: DatabaseSync): SnapshotRow | undefined {
  const row = database.prepare('SELECT * FROM snapshots ORDER BY seq DESC LIMIT 1').get()
  return row as SnapshotRow | undefined // the columns of a STRICT table have these types
}

function firstSnapshot(database: DatabaseSync): SnapshotRow | undefined {
  const row = database.prepare('SELECT * FROM snapshots ORDER BY seq LIMIT 1').get()
  return row as SnapshotRow | undefined // the columns of a STRICT table have these types
}

function snapshotsIn(database: DatabaseSync): readonly SnapshotRow[] {
  const rows = database.prepare('SELECT * FROM snapshots ORDER BY seq').all()
  return rows as unknown as readonly SnapshotRow[] // the columns of a STRICT table have these types
}

function holds(row: SnapshotRow): boolean {
  return snapshotHash(row, row.seq, row.time, row.state) === row.hash
}

function problemOf({ seq }: SnapshotRow): string {
  return `the state kept at entry ${seq} is not what was written`
}

/** Verifies the chain after `start`. */
function checkChain(database: DatabaseSync, start: ChainEnd): ChainCheck {
  let end = start
  let entries = 0
  try {
    const rows = database.prepare('SELECT * FROM entries WHERE seq > ? ORDER BY seq').iterate(start.seq)
    for (const raw of rows) {
      const row = raw as unknown as EntryRow // the columns of a STRICT table have these types
      const problem = problemWith(row, end)
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

function problemWith(row: EntryRow, end: ChainEnd): string | undefined {
  if (row.seq !== end.seq + 1) return `entry ${end.seq + 1} is missing`
  if (row.previous !== end.hash) return `entry ${row.seq} does not continue the one before`
  const hash = chainHash(row.previous, { ...row, decisions: row.decisions ?? undefined })
  return hash === row.hash ? undefined : `entry ${row.seq} is not what was written`
}

/** First damage of a journal, with the last entry before it, 0 if there is none. */
type Damage = Pick<Extract<ChainCheck, { readonly holds: false }>, 'trusted' | 'problem'>

/** Error for a damaged journal: reports the first damage of all, even if `found` is a later one. */
export function damageIn(database: DatabaseSync, path: string, found: Damage): JournalError {
  const whole = verifyChain(database)
  return new JournalError(
    `The journal ${path} is damaged: ${damageText(whole.holds ? found : whole)} ${DAMAGE_ADVICE}`,
  )
}

/** Description of a damage and of the valid entries. */
export function damageText({ trusted, problem }: Damage): string {
  return `${problem}. Entries up to ${trusted} can be trusted.`
}

/** Advice for a damaged journal. */
export const DAMAGE_ADVICE =
  'Restore an intact copy. Without one, close the positions of the bot and cancel its orders at the exchange by hand, and only then move the file away and start: without its journal, the bot knows neither its positions nor their stops.'
