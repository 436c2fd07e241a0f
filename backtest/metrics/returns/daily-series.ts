import { firstRowAfter } from '../../../src/klines/row-search.ts'
import { DAY_MS } from '../convention.ts'
import type { EquityCurve } from './equity-curve.ts'

/** One value for every UTC day that a curve touches. */
export interface DailySeries {
  /** The first day, counted from 1970-01-01. */
  readonly firstDay: number
  /** Equity before the first day. */
  readonly start: number
  /**
   * Equity at the end of each day; a day without klines repeats the day before, the last one counts up to the
   * end of the data.
   */
  readonly values: Float64Array
}

/** Samples a curve at the end of each UTC day. A close at midnight belongs to the day that ends. */
export function dailySeriesOf({ startTime, startEquity, time, equity }: EquityCurve): DailySeries {
  const firstDay = Math.floor(startTime / DAY_MS)
  const last = time[time.length - 1]
  const days = last === undefined ? 0 : Math.ceil(last / DAY_MS) - firstDay
  const values = new Float64Array(days)
  let rows = 0
  for (let day = 0; day < days; day++) {
    rows = rowsUntil(time, (firstDay + day + 1) * DAY_MS, rows)
    values[day] = equity[rows - 1] ?? startEquity
  }
  return { firstDay, start: startEquity, values }
}

/** Return of each day: equity at its end over equity at the end of the day before, less 1; 0 where there was none left. */
export function returnsOf({ start, values }: DailySeries): Float64Array {
  const returns = new Float64Array(values.length)
  let before = start
  for (let day = 0; day < values.length; day++) {
    const value = values[day] as number // inside the bounds
    returns[day] = before > 0 ? value / before - 1 : 0
    before = value
  }
  return returns
}

/** Number of rows that close by `end`, at least `known`: doubling steps, then bisection. */
function rowsUntil(time: ArrayLike<number>, end: number, known: number): number {
  let [low, step] = [known, 1]
  while ((time[low + step - 1] ?? Number.POSITIVE_INFINITY) <= end) {
    low += step
    step *= 2
  }
  return firstRowAfter(time, end, low, Math.min(time.length, low + step - 1))
}
