import type { RecordEntry } from './recorded-strategy.ts'
import { seededRandom } from './seeded-random.ts'

/** What cut points are chosen from. */
export interface CutPointOptions {
  /** How many; fewer where there are not as many rows. */
  readonly count: number
  /** Klines of the run. */
  readonly klines: number
  /** What happened in it. */
  readonly entries: readonly RecordEntry[]
  readonly seed: number
}

/**
 * Rows after which the future is replaced, ascending. Half of them are the rows on which something was decided or after
 * which something traded, spread over all such rows: a decision that knows the next kline shows itself there. The others
 * are spread over the whole run. Never the last row, which has no future.
 */
export function cutPoints({ count, klines, entries, seed }: CutPointOptions): number[] {
  const last = klines - 2
  if (last < count) return Array.from({ length: Math.max(0, last + 1) }, (_, row) => row)
  const random = seededRandom(seed)
  const moments = [...new Set(entries.map(momentOf))].filter(row => row >= 0 && row <= last)
  const chosen = new Set(
    spread(Math.min(moments.length, count >> 1), moments.length, random, index => moments[index]),
  )
  const rest = count - chosen.size
  for (const row of spread(rest, last + 1, random, index => index)) chosen.add(row)
  while (chosen.size < count) chosen.add(Math.floor(random() * (last + 1)))
  return [...chosen].sort((left, right) => left - right)
}

/** The row whose close is the last that could be known. */
function momentOf({ what, row }: RecordEntry): number {
  return what === 'signal' ? row : row - 1
}

/** One of each of `count` equal parts of `length`. */
function spread(
  count: number,
  length: number,
  random: () => number,
  at: (index: number) => number | undefined,
): number[] {
  const chosen = Array.from({ length: count }, (_, part) =>
    at(Math.floor(((part + random()) * length) / count)),
  )
  return chosen.filter(row => row !== undefined)
}
