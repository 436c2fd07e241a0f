import type { RecordEntry } from './recorded-strategy.ts'
import { seededRandom } from './seeded-random.ts'

/** Windows that begin where something is decided, and windows that begin anywhere. */
const DECIDING = 10
const ANYWHERE = 4

/** Where windows may begin. */
export interface WindowSpan {
  /** Rows. */
  readonly first: number
  readonly last: number
  readonly seed: number
}

/**
 * Rows on which windows begin, ascending. Most begin at a kline on which the strategy changed its mind (said another kind of
 * thing than on the kline before), because the first kline of a window is where a short history shows most.
 */
export function windowStarts(entries: readonly RecordEntry[], { first, last, seed }: WindowSpan): number[] {
  const random = seededRandom(seed)
  const changes = changesOfMind(entries).filter(row => row >= first && row <= last)
  const count = Math.min(DECIDING, changes.length)
  const deciding = Array.from(
    { length: count },
    (_, part) => changes[Math.floor(((part + random()) * changes.length) / count)] ?? first,
  )
  const anywhere = Array.from({ length: ANYWHERE }, () => first + Math.floor(random() * (last - first + 1)))
  return [...new Set([...deciding, ...anywhere])].sort((left, right) => left - right)
}

function changesOfMind(entries: readonly RecordEntry[]): number[] {
  const rows: number[] = []
  let [lastRow, lastKinds] = [Number.NaN, '']
  for (const { what, handler, row, text } of entries) {
    if (what !== 'signal' || handler !== 'onKline') continue
    const kinds = (text.match(/"type":"\w+"|"direction":"\w+"/g) ?? []).join()
    if (row !== lastRow + 1 || kinds !== lastKinds) rows.push(row)
    lastRow = row
    lastKinds = kinds
  }
  return rows
}
