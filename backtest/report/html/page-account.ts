import type { PageColumn } from '../page-data.ts'
import { pageColumn } from './page-column.ts'

/** Decimals of a drawdown, a fraction. */
const DRAWDOWN_DECIMALS = 5

/** Decimals that a course of equity is drawn with, so that the curve of a small account is no staircase: six digits of its start. */
export function equityDecimals(startEquity: number): number {
  const digitsBefore = startEquity > 0 ? Math.floor(Math.log10(startEquity)) : 0
  return Math.min(8, Math.max(2, 6 - digitsBefore))
}

/** Equity at times, ms UTC, in order. */
export interface AccountCourse {
  readonly time: ArrayLike<number>
  readonly equity: ArrayLike<number>
  /** Equity before the first of them; absent if it is not known. */
  readonly startEquity?: number | undefined
  /** The highest equity less what was moved, before the first of them; default: `startEquity`. */
  readonly peak?: number | undefined
  /** Moved in or out of the account until each of them, which moves the peak along; default: nothing. */
  readonly moved?: ArrayLike<number> | undefined
}

/**
 * Equity at the last close within each kline, and the deepest drawdown within it, of which deposits and withdrawals are no part; klines by their opens, ms UTC. Klines
 * before the first equity that is known have neither.
 */
export function pageAccount(
  { time, equity, startEquity = Number.NaN, peak: before = startEquity, moved = [] }: AccountCourse,
  openTime: Float64Array,
  decimals: number,
): { readonly worth: PageColumn; readonly drawdown: PageColumn } {
  const [worths, falls] = [new Float64Array(openTime.length), new Float64Array(openTime.length)]
  let [row, highest, worth, peak] = [0, before, startEquity, before]
  for (let place = 0; place < openTime.length; place++) {
    const next = openTime[place + 1] ?? Number.POSITIVE_INFINITY
    let deepest = worth / peak - 1
    for (let isFirst = true; (time[row] ?? Number.NaN) <= next; row++, isFirst = false) {
      worth = equity[row] as number // inside the bounds
      const away = moved[row] ?? 0
      highest = Number.isNaN(highest) ? worth - away : Math.max(highest, worth - away)
      peak = highest + away
      deepest = isFirst ? worth / peak - 1 : Math.min(deepest, worth / peak - 1)
    }
    worths[place] = worth
    falls[place] = deepest
  }
  return { worth: pageColumn(worths, decimals), drawdown: pageColumn(falls, DRAWDOWN_DECIMALS) }
}
