import { UsageError } from '../sluice-error.ts'
import { civilDateOf, dayNumberOf } from './civil-date.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 5 January 1970. */
const FIRST_MONDAY = 4 * DAY

/** Shortest first. */
const FIXED_MS = {
  '1m': MINUTE,
  '3m': 3 * MINUTE,
  '5m': 5 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '2h': 2 * HOUR,
  '4h': 4 * HOUR,
  '6h': 6 * HOUR,
  '8h': 8 * HOUR,
  '12h': 12 * HOUR,
  '1d': DAY,
  '3d': 3 * DAY,
  '1w': 7 * DAY,
} as const

/**
 * Length of a kline. A month is a calendar month in UTC, a week starts on Monday, and three days are counted from 1 January
 * 1970, as exchanges do that offer them.
 */
export type Interval = keyof typeof FIXED_MS | '1M'

/** All intervals, shortest first. */
export const INTERVALS: readonly Interval[] = [...(Object.keys(FIXED_MS) as (keyof typeof FIXED_MS)[]), '1M']

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
  const origin = originOf(interval)
  const length = FIXED_MS[interval]
  return origin + Math.floor((time - origin) / length) * length
}

/** True if every kline of `whole` consists of more than one whole kline of `part`. */
export function isMadeOf(whole: Interval, part: Interval): boolean {
  if (part === '1M') return false
  const length = FIXED_MS[part]
  // A month is some days, and begins with one.
  if (whole === '1M') return DAY % length === 0
  const offset = originOf(whole) - originOf(part)
  return length < FIXED_MS[whole] && FIXED_MS[whole] % length === 0 && offset % length === 0
}

/** First ms (UTC) after the kline that opened at `openTime`: the time from which it is known. */
export function closeTimeOf(openTime: number, interval: Interval): number {
  if (interval === '1M') return monthStart(openTime, 1)
  if (interval !== latest.interval) {
    latest.ms = FIXED_MS[interval]
    latest.interval = interval
  }
  return openTime + latest.ms
}

/** The latest length, cached: a table is looked up by text, mostly of one interval. */
const latest = { interval: '', ms: Number.NaN }

/** Open time of a kline that all others are counted from, ms UTC. */
function originOf(interval: Interval): number {
  return interval === '1w' ? FIRST_MONDAY : 0
}

/** Start of the UTC month `offset` months after the month of `time`. */
function monthStart(time: number, offset: number): number {
  const { year, month } = civilDateOf(Math.floor(time / DAY))
  const months = year * 12 + (month - 1) + offset
  return dayNumberOf({ year: Math.floor(months / 12), month: (months % 12) + 1, day: 1 }) * DAY
}
