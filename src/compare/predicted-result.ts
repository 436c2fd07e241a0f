import { bootstrapMean, percentileInterval } from '../research/statistics/resampling/bootstrap.ts'
import { drawnResamples } from '../research/statistics/resampling/resamples.ts'

/** An interval for what live round trips earn on average, from those of the backtest, in quote. */
export interface PredictedResult {
  readonly lower: number
  readonly upper: number
  /** Their mean profit. */
  readonly live: number
  readonly isInside: boolean
  /** Round trips of the backtest. */
  readonly trips: number
}

const FEWEST_TRIPS = 5
const RESAMPLES = 2000
const CONFIDENCE = 0.95

/** Bootstrap interval (95%, percentiles) of the mean result of round trips; `undefined` with fewer than five of either run. */
export function predictedResult(
  backtest: readonly number[],
  live: readonly number[],
): PredictedResult | undefined {
  if (backtest.length < FEWEST_TRIPS || live.length < FEWEST_TRIPS) return undefined
  const plan = { size: backtest.length, count: RESAMPLES, seed: 'live beside the backtest' }
  const found = bootstrapMean(Float64Array.from(backtest), drawnResamples(plan))
  if (found.value === undefined) return undefined
  const [lower, upper] = percentileInterval(found.value, CONFIDENCE)
  const mean = live.reduce((sum, pnl) => sum + pnl, 0) / live.length
  return { lower, upper, live: mean, isInside: mean >= lower && mean <= upper, trips: backtest.length }
}
