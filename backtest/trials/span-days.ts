import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { DAY_MS } from '../metrics/convention.ts'
import type { SpanRows } from './trial-span.ts'

/** UTC days of a span of klines, which all of its trials have in common. */
export interface SpanDays {
  /** Open of the first kline and close of the last one, ms UTC. */
  readonly startTime: number
  readonly endTime: number
  /** The first day, counted from 1970-01-01. */
  readonly firstDay: number
  /** Klines of the span that close by the end of each day. */
  readonly closed: Uint32Array
}

/** The days of the rows of a span; a close at midnight belongs to the day that ends. */
export function spanDaysOf(
  { openTime }: KlineColumns,
  interval: Interval,
  { first, end }: SpanRows,
): SpanDays {
  const startTime = openTime[first] as number // a span has rows
  const endTime = closeTimeOf(openTime[end - 1] as number, interval)
  const firstDay = Math.floor(startTime / DAY_MS)
  const closed = new Uint32Array(Math.ceil(endTime / DAY_MS) - firstDay)
  let row = first
  for (let day = 0; day < closed.length; day++) {
    const dayEnd = (firstDay + day + 1) * DAY_MS
    while (row < end && closeTimeOf(openTime[row] as number, interval) <= dayEnd) row++
    closed[day] = row - first
  }
  return { startTime, endTime, firstDay, closed }
}
