import {
  type DeflatedSharpe,
  deflatedSharpe,
  type TriedSharpes,
} from '../../src/research/statistics/sharpe/deflated-sharpe.ts'
import { sharpeEstimate, sharpeOf } from '../../src/research/statistics/sharpe/sharpe-estimate.ts'
import {
  defined,
  derived,
  type Statistic,
  undefinedBecause,
} from '../../src/research/statistics/statistic.ts'
import { varianceOfSharpes } from '../../src/research/statistics/trials/effective-trials.ts'
import { MINIMUM } from '../metrics/convention.ts'

/** A Sharpe ratio deflated by the trials among which it was found. */
export interface Deflation extends DeflatedSharpe {
  /** Number of trials, its own included. */
  readonly trials: number
}

/**
 * Deflates the Sharpe ratio of daily returns by the daily returns of all trials, its own among them: `deflatedSharpe` with their
 * number and the variance of their ratios. Trials without a ratio, such as those that never traded, count as trials only.
 * Undefined below 30 days.
 */
export function deflationOf(dailyReturns: Float64Array, all: Iterable<Float64Array>): Statistic<Deflation> {
  const { dailyReturns: least } = MINIMUM
  if (dailyReturns.length < least)
    return undefinedBecause(`It needs at least ${least} daily returns, and there are ${dailyReturns.length}.`)
  return derived(triedSharpes(all), tried =>
    derived(sharpeEstimate(dailyReturns), estimate =>
      derived(deflatedSharpe(estimate, tried), deflated => defined({ ...deflated, trials: tried.trials })),
    ),
  )
}

function triedSharpes(all: Iterable<Float64Array>): Statistic<TriedSharpes> {
  const sharpes: number[] = []
  let trials = 0
  for (const returns of all) {
    trials++
    const sharpe = sharpeOf(returns)
    if (sharpe !== undefined) sharpes.push(sharpe)
  }
  if (trials === 1) return defined({ trials, variance: 0 })
  return derived(varianceOfSharpes(sharpes), variance => defined({ trials, variance }))
}
