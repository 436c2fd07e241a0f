import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { RecordEntry } from '../recorded-strategy.ts'

/** Rows on which windows begin, ascending: some to search a length with, others to prove it with. */
export interface WindowStarts {
  readonly search: readonly number[]
  /** Lists of which each has to prove it. */
  readonly proof: readonly (readonly number[])[]
  /** Decisions there were to choose from. */
  readonly of: number
}

/** Range and number of windows. */
export interface WindowSpan {
  /** Rows. */
  readonly first: number
  readonly last: number
  /** Windows in each list of the proof, at most, and as many as it has to have. */
  readonly most: number
  readonly needed: number
  readonly seed: number
}

/** Windows of each list that the search takes, at most, and at least where decisions are few; but never more than a part of them. */
const MOST_SEARCHED = 150
const FEWEST_SEARCHED = 30
const PART = 5

/**
 * Chooses rows on which windows begin, each at a decision, because a short history shows most on the first
 * kline of a window. If a strategy often repeats a decision, changes and repetitions form separate lists,
 * because a short history may show in the one and not in the other. No decision is both in the search and in
 * the proof: a length chosen for its agreement on some decisions is tried on others.
 */
export function windowStarts(
  entries: readonly RecordEntry[],
  { first, last, most, needed, seed }: WindowSpan,
): WindowStarts {
  const random = seededRandom(seed).uniform
  const ascending = (list: readonly number[]) => list.toSorted((left, right) => left - right)
  const lists = decisionLists(entries, needed)
    .map(rows => rows.filter(row => row >= first && row <= last))
    .filter(rows => rows.length > 0)
    .map(rows => {
      const mixed = shuffled(rows, random)
      const left = Math.max(FEWEST_SEARCHED, rows.length - needed)
      const searched = Math.min(MOST_SEARCHED, left, Math.ceil(rows.length / PART))
      return { search: mixed.slice(0, searched), proof: ascending(mixed.slice(searched, searched + most)) }
    })
  return {
    search: ascending(lists.flatMap(({ search }) => search)),
    proof: lists.map(({ proof }) => proof).filter(rows => rows.length > 0),
    of: lists.reduce((sum, { search, proof }) => sum + search.length + proof.length, 0),
  }
}

/**
 * Chooses rows for windows on other terms than a length: only decisions on rows of `eligible`. Changes and repetitions form
 * separate lists as above, unless one of these is too short to prove anything.
 */
export function eligibleStarts(
  entries: readonly RecordEntry[],
  { first, last, most, needed, seed }: WindowSpan,
  eligible: ReadonlySet<number>,
): readonly (readonly number[])[] {
  const random = seededRandom(seed).uniform
  const lists = decisionLists(entries, needed)
    .map(rows => rows.filter(row => row >= first && row <= last && eligible.has(row)))
    .filter(rows => rows.length > 0)
  const proving = lists.some(({ length }) => length < needed) ? [lists.flat()] : lists
  return proving.map(rows =>
    shuffled(rows, random)
      .slice(0, most)
      .sort((left, right) => left - right),
  )
}

/** Smallest fraction of changed decisions among all; below it, other changes count as well. */
const FEWEST_CHANGES = 0.01

/**
 * Rows on which a strategy decided, ascending: those with another kind of decision than on the row before,
 * and the others, if these are enough for a list. If the kind stays, as for quotes at other prices, any other
 * text is a change.
 */
export function decisionLists(entries: readonly RecordEntry[], enough: number): (readonly number[])[] {
  const said = saidByRow(entries)
  const kindsOf = ({ text }: Said) => (text.match(/"type":"\w+"|"direction":"\w+"/g) ?? []).join()
  const ofKind = rowsOfChange(said, kindsOf)
  const changes =
    ofKind.length < FEWEST_CHANGES * said.length ? rowsOfChange(said, ({ text }) => text) : ofKind
  const isChange = new Set(changes)
  const rows = said.map(({ row }) => row)
  const repeated = rows.filter(row => !isChange.has(row))
  return repeated.length < 2 * enough ? [rows] : [changes, repeated]
}

/** All outputs of a row, in order. */
interface Said {
  readonly row: number
  readonly text: string
}

/** Outputs of the handlers of klines, feeds and timers; those for orders and fills follow from them. */
function saidByRow(entries: readonly RecordEntry[]): readonly Said[] {
  const byRow = new Map<number, string>()
  for (const { what, handler, row, text } of entries) {
    if (what !== 'signal' || !(handler === 'onKline' || handler.startsWith('on.'))) continue
    byRow.set(row, `${byRow.get(row) ?? ''}${text}`)
  }
  return Array.from(byRow, ([row, text]) => ({ row, text })).sort((left, right) => left.row - right.row)
}

function rowsOfChange(said: readonly Said[], partOf: (said: Said) => string): readonly number[] {
  const rows: number[] = []
  let [lastRow, lastPart] = [Number.NaN, '']
  for (const now of said) {
    const part = partOf(now)
    if (now.row !== lastRow + 1 || part !== lastPart) rows.push(now.row)
    lastRow = now.row
    lastPart = part
  }
  return rows
}

/** By R. A. Fisher and F. Yates. */
function shuffled(rows: readonly number[], random: () => number): number[] {
  const mixed = [...rows]
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const [left, right] = [mixed[index] as number, mixed[other] as number] // inside
    mixed[index] = right
    mixed[other] = left
  }
  return mixed
}
