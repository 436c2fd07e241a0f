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
import { type DailyTrial, returnsOnDaysOf } from '../trials/common-days.ts'

/** A Sharpe ratio deflated by the trials among which it was found. */
export interface Deflation extends DeflatedSharpe, TriedSharpes {
  /** Number of trials, its own included. */
  readonly trials: number
}

/**
 * Deflates the Sharpe ratio of a trial by the daily returns of all trials on its days, its own among them: `deflatedSharpe` with their
 * number and the variance of their ratios. Trials without a ratio, such as those that never traded, count as trials only.
 * Undefined below 30 days.
 */
export function deflationOf(trial: DailyTrial, all: Iterable<DailyTrial>): Statistic<Deflation> {
  const { dailyReturns: least } = MINIMUM
  const { dailyReturns } = trial
  if (dailyReturns.length < least)
    return undefinedBecause(`It needs at least ${least} daily returns, and there are ${dailyReturns.length}.`)
  return derived(triedSharpes(trial, all), tried =>
    derived(sharpeEstimate(dailyReturns), estimate =>
      derived(deflatedSharpe(estimate, tried), deflated => defined({ ...deflated, ...tried })),
    ),
  )
}

function triedSharpes(days: DailyTrial, all: Iterable<DailyTrial>): Statistic<TriedSharpes> {
  const sharpes: number[] = []
  let trials = 0
  for (const trial of all) {
    trials++
    const sharpe = sharpeOf(returnsOnDaysOf(days, trial))
    if (sharpe !== undefined) sharpes.push(sharpe)
  }
  if (trials === 1) return defined({ trials, variance: 0 })
  return derived(varianceOfSharpes(sharpes), variance => defined({ trials, variance }))
}
