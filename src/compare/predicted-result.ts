import { bootstrapMean, percentileInterval } from '../research/statistics/resampling/bootstrap.ts'
import { drawnResamples } from '../research/statistics/resampling/resamples.ts'

/** An interval for what live round trips earn on average, from those of the backtest, in quote. */
export interface PredictedResult {
  readonly lower: number
  readonly upper: number
  /** Their mean profit. */
  readonly live: number
  readonly isInside: boolean
  /** Round trips of the backtest, and of live. */
  readonly trips: number
  readonly liveTrips: number
}

/** True if live round trips earn less than the interval. */
export function earnsLess(predicted: PredictedResult | undefined): predicted is PredictedResult {
  return predicted !== undefined && predicted.live < predicted.lower
}

const FEWEST_TRIPS = 5
const RESAMPLES = 2000
const CONFIDENCE = 0.95

/**
 * Bootstrap interval (95%, percentiles) of the mean result of round trips, wider by the root of how many fewer live has: a mean
 * of fewer varies more. `undefined` with fewer than five of either run.
 */
export function predictedResult(
  backtest: readonly number[],
  live: readonly number[],
): PredictedResult | undefined {
  if (backtest.length < FEWEST_TRIPS || live.length < FEWEST_TRIPS) return undefined
  const plan = { size: backtest.length, count: RESAMPLES, seed: 'live beside the backtest' }
  const found = bootstrapMean(Float64Array.from(backtest), drawnResamples(plan))
  if (found.value === undefined) return undefined
  const { observed } = found.value
  const widening = Math.sqrt(Math.max(1, backtest.length / live.length))
  const [lower, upper] = percentileInterval(found.value, CONFIDENCE).map(
    end => observed + (end - observed) * widening,
  ) as [number, number]
  const mean = live.reduce((sum, pnl) => sum + pnl, 0) / live.length
  const isInside = mean >= lower && mean <= upper
  return { lower, upper, live: mean, isInside, trips: backtest.length, liveTrips: live.length }
}
