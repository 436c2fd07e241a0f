import { UsageError } from '../sluice-error.ts'
import { civilDateOf, dayNumberOf } from './civil-date.ts'

/** Length of a kline. A month is a calendar month in UTC; a week starts on Monday. */
export type Interval = '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M'

const MINUTE = 60_000
const DAY = 86_400_000
/** Monday, 5 January 1970. */
const FIRST_MONDAY = 4 * DAY

const FIXED_MS = {
  '1m': MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '4h': 240 * MINUTE,
  '1d': DAY,
  '1w': 7 * DAY,
} as const satisfies Record<Exclude<Interval, '1M'>, number>

/** All intervals, shortest first. */
export const INTERVALS: readonly Interval[] = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']

/** Parses an interval; throws `UsageError` that lists the intervals. */
export function intervalOf(text: string): Interval {
  const interval = INTERVALS.find(known => known === text)
  if (interval === undefined) {
    throw new UsageError(`"${text}" is not an interval; use one of ${INTERVALS.join(', ')}.`)
  }
  return interval
}

/** Nominal length in ms; a month counts 30 days (use `closeTimeOf` for calendar months). */
export function intervalMs(interval: Interval): number {
  return interval === '1M' ? 30 * DAY : FIXED_MS[interval]
}

/** Open time (ms UTC) of the kline that contains `time` (ms UTC). */
export function openTimeOf(time: number, interval: Interval): number {
  if (interval === '1M') return monthStart(time, 0)
  const origin = interval === '1w' ? FIRST_MONDAY : 0
  const length = FIXED_MS[interval]
  return origin + Math.floor((time - origin) / length) * length
}

/** First ms (UTC) after the kline that opened at `openTime`: the time from which it is known. */
export function closeTimeOf(openTime: number, interval: Interval): number {
  return interval === '1M' ? monthStart(openTime, 1) : openTime + FIXED_MS[interval]
}

/** Start of the UTC month `offset` months after the month of `time`. */
function monthStart(time: number, offset: number): number {
  const { year, month } = civilDateOf(Math.floor(time / DAY))
  const months = year * 12 + (month - 1) + offset
  return dayNumberOf({ year: Math.floor(months / 12), month: (months % 12) + 1, day: 1 }) * DAY
}
