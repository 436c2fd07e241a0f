import {
  closeTimeOf,
  INTERVALS,
  type Interval,
  intervalMs,
  openTimeOf,
} from '../domain/market-data/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { KlineColumns } from './kline-columns.ts'

/** What is absent from a series of klines. */
export interface KlineGaps {
  /** Places where at least one kline is absent. */
  readonly count: number
  /** Klines absent in all gaps together. */
  readonly missing: number
  /** The first gap. */
  readonly first?: KlineGap
  /** The gap with the most klines absent; the earliest of equals. */
  readonly longest?: KlineGap
}

/** One run of absent klines. */
export interface KlineGap {
  /** Open time of the first absent kline, ms UTC. */
  readonly from: number
  /** Open time of the next kline there is, ms UTC. */
  readonly to: number
  readonly missing: number
}

/** Counts the gaps of a series; throws `UsageError` if the klines are of another interval than `interval`. */
export function checkInterval(columns: KlineColumns, interval: Interval): KlineGaps {
  requireAligned(columns, interval)
  const gaps = gapsOf(columns, interval)
  if (gaps.length > 1 && gaps.length === columns.length - 1) requireNoLonger(columns, interval)
  return {
    count: gaps.length,
    missing: gaps.reduce((sum, gap) => sum + gap.missing, 0),
    ...(gaps[0] !== undefined && { first: gaps[0] }),
    ...(gaps[0] !== undefined && {
      longest: gaps.reduce((longest, gap) => (gap.missing > longest.missing ? gap : longest), gaps[0]),
    }),
  }
}

function requireAligned({ openTime }: KlineColumns, interval: Interval): void {
  const odd = openTime.find(time => openTimeOf(time, interval) !== time)
  if (odd === undefined) return
  const fitting = longestFitting(openTime)
  const advice = fitting === undefined ? 'check its time zone' : `the times fit the interval ${fitting}`
  throw new UsageError(`No kline of ${interval} opens at ${new Date(odd).toISOString()} (UTC): ${advice}.`)
}

/** No two neighbours are one interval apart: either a very sparse series, or one of a longer interval. */
function requireNoLonger({ openTime }: KlineColumns, interval: Interval): void {
  const fitting = longestFitting(openTime)
  if (fitting === undefined || fitting === interval) return
  throw new UsageError(
    `The klines are of the interval ${fitting}, not ${interval}: their open times all fit it.`,
  )
}

function longestFitting(openTime: Float64Array): Interval | undefined {
  return INTERVALS.findLast(interval => openTime.every(time => openTimeOf(time, interval) === time))
}

/** Every gap, oldest first. */
export function gapsOf({ openTime }: KlineColumns, interval: Interval): KlineGap[] {
  const gaps: KlineGap[] = []
  for (let row = 1; row < openTime.length; row++) {
    const from = closeTimeOf(openTime[row - 1] as number, interval) // both rows exist
    const to = openTime[row] as number
    if (to > from) gaps.push({ from, to, missing: klinesBetween(from, to, interval) })
  }
  return gaps
}

/** How many klines open from `from` (included) to `to` (excluded); both are open times. */
export function klinesBetween(from: number, to: number, interval: Interval): number {
  if (interval !== '1M') return (to - from) / intervalMs(interval)
  let months = 0
  for (let time = from; time < to; time = closeTimeOf(time, interval)) months++
  return months
}
