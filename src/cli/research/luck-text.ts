import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { type Deflation, deflationOf } from '../../../backtest/search/deflation.ts'
import type { Statistic } from '../../research/statistics/statistic.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { StudyTrial } from '../../studies/study-trial.ts'

/** Trials of a strategy on the same data, and what they leave of one's Sharpe ratio. */
export interface CountedTrials {
  /** Finished ones. */
  readonly trials: number
  readonly deflation: Statistic<Deflation>
}

/** Deflates the Sharpe ratio of a trial by all finished trials of its strategy on the same data that a study has. */
export function deflationIn(
  study: StudyFile,
  trial: StudyTrial & { readonly dailyReturns: Float64Array },
): CountedTrials {
  let trials = 0
  function* returns() {
    for (const dailyReturns of study.returnsOf(trial)) {
      trials++
      yield dailyReturns
    }
  }
  const deflation = deflationOf(trial.dailyReturns, returns())
  if (trials === 0) for (const _ of returns()); // too short to be deflated, so that none was read
  return { trials, deflation }
}

/** The same in words. */
export function luckText(path: string, strategy: string, { trials, deflation }: CountedTrials): string {
  const known =
    trials === 1
      ? `${path} knows no other trial of ${strategy} on this data.`
      : `${path} knows ${trials} trials of ${strategy} on this data.`
  if (deflation.value === undefined) return `${known} No deflated Sharpe ratio: ${deflation.reason}`
  const { expectedMaximum, probability } = deflation.value
  if (probability.value === undefined) return `${known} No deflated Sharpe ratio: ${probability.reason}`
  const luck = (expectedMaximum * Math.sqrt(DAYS_PER_YEAR)).toFixed(2)
  const best = trials === 1 ? 'one trial' : `the best of ${trials}`
  return `${known} Luck alone gives ${best} an annual Sharpe ratio of ${luck}.\nDeflated Sharpe ratio (probability that the true ratio is above that luck): ${probability.value.toFixed(3)}`
}
