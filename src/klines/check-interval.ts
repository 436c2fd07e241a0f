import {
  closeTimeOf,
  INTERVALS,
  type Interval,
  intervalMs,
  openTimeOf,
} from '../domain/market-data/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { KlineColumns } from './kline-columns.ts'

/** Missing klines of a series. */
export interface KlineGaps {
  /** Number of gaps: places with at least one missing kline. */
  readonly count: number
  /** Number of missing klines in all gaps. */
  readonly missing: number
  /** The first gap. */
  readonly first?: KlineGap
  /** The gap with the most missing klines; the earliest of equals. */
  readonly longest?: KlineGap
}

/** One run of missing klines. */
export interface KlineGap {
  /** Open time of the first missing kline, ms UTC. */
  readonly from: number
  /** Open time of the next existing kline, ms UTC. */
  readonly to: number
  readonly missing: number
}

/** Finds the gaps of a series; throws `UsageError` if the klines have another interval than `interval`. */
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

/** Without neighbours one interval apart, the series is either very sparse or of a longer interval. */
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

/** All gaps, oldest first. */
export function gapsOf({ openTime }: KlineColumns, interval: Interval): KlineGap[] {
  const gaps: KlineGap[] = []
  for (let row = 1; row < openTime.length; row++) {
    const from = closeTimeOf(openTime[row - 1] as number, interval) // both rows exist
    const to = openTime[row] as number
    if (to > from) gaps.push({ from, to, missing: klinesBetween(from, to, interval) })
  }
  return gaps
}

/** Number of klines that open from `from` (included) to `to` (excluded); both are open times. */
export function klinesBetween(from: number, to: number, interval: Interval): number {
  if (interval !== '1M') return (to - from) / intervalMs(interval)
  let months = 0
  for (let time = from; time < to; time = closeTimeOf(time, interval)) months++
  return months
}
