import type { RoundTrip } from '../src/domain/round-trip.ts'
import { drawdownOf } from './drawdown.ts'
import { dailyReturns, type EquityCurve, endOf } from './equity-curve.ts'
import { exposureOf } from './exposure.ts'
import { type RoundTripStatistics, roundTripStatistics } from './round-trip-statistics.ts'
import { sharpeRatio } from './sharpe-ratio.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
/** A shorter time is not projected onto a year. */
const SHORTEST_FOR_A_YEAR_MS = 30 * DAY_MS

/** What a backtest came to. Money in quote, fractions of 1; `null` where the sample is too small to say. */
export interface Metrics extends RoundTripStatistics {
  readonly startEquity: number
  readonly endEquity: number
  /** End ÷ start - 1. */
  readonly totalReturn: number
  /** Compound annual growth rate: (end ÷ start)^(365 days ÷ duration) - 1; `null` for less than 30 days. */
  readonly cagr: number | null
  /** Largest fall from a peak, as a fraction of the peak. */
  readonly maxDrawdown: number
  /** Longest time below a peak. */
  readonly longestDrawdownMs: number
  /** Fraction of the time in which a position was open. */
  readonly exposure: number
  /** Of daily returns, annual: see `sharpeRatio`. */
  readonly sharpe: number | null
}

/** What metrics are computed from. */
export interface MetricsInput {
  readonly curve: EquityCurve
  readonly roundTrips: readonly RoundTrip[]
  /** Since when (ms UTC) a position has been open that no round trip closes. */
  readonly openSince?: number | undefined
}

/** The metrics of a run. */
export function metricsOf({ curve, roundTrips, openSince }: MetricsInput): Metrics {
  const end = endOf(curve)
  const drawdown = drawdownOf(curve)
  const open = openSince === undefined ? [] : [{ entryTime: openSince, exitTime: end.time }]
  return {
    startEquity: curve.startEquity,
    endEquity: end.equity,
    totalReturn: end.equity / curve.startEquity - 1,
    cagr: growthRate(curve.startEquity, end.equity, end.time - curve.startTime),
    maxDrawdown: drawdown.fraction,
    longestDrawdownMs: drawdown.longestMs,
    exposure: exposureOf([...roundTrips, ...open], curve.startTime, end.time),
    sharpe: sharpeRatio(dailyReturns(curve)),
    ...roundTripStatistics(roundTrips),
  }
}

function growthRate(start: number, end: number, durationMs: number): number | null {
  if (durationMs < SHORTEST_FOR_A_YEAR_MS) return null
  return Math.max(0, end / start) ** (YEAR_MS / durationMs) - 1
}
