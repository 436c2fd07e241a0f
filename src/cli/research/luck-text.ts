import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { type Deflation, deflationOf } from '../../../backtest/search/deflation.ts'
import type { Statistic } from '../../research/statistics/statistic.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { StudyReturns, StudyTrial, TrialIdentity } from '../../studies/study-trial.ts'

/** A trial as far as it is counted. */
export type CountedTrial = TrialIdentity & StudyReturns

/** Trials of a strategy on klines of the same days, and what they leave of one's Sharpe ratio. */
export interface CountedTrials {
  /** Finished ones, see `StudyFile.recordsBeside`. */
  readonly trials: number
  readonly deflation: Statistic<Deflation>
}

/** Deflates the Sharpe ratio of a trial by all finished trials of its strategy on klines of the same days that a study has. */
export function deflationIn(study: StudyFile, trial: CountedTrial): CountedTrials {
  let trials = 0
  function* counted() {
    for (const record of study.recordsBeside(trial)) {
      trials++
      yield record
    }
  }
  const deflation = deflationOf(trial, counted())
  if (trials === 0) for (const _ of counted()); // too short to be deflated, so that none was read
  return { trials, deflation }
}

/** The same in words. */
export function luckText(path: string, strategy: string, { trials, deflation }: CountedTrials): string {
  const days = `of ${strategy} on klines of these days`
  const known =
    trials === 1 ? `${path} knows no other trial ${days}.` : `${path} knows ${trials} trials ${days}.`
  if (deflation.value === undefined) return `${known} No deflated Sharpe ratio: ${deflation.reason}`
  const { expectedMaximum, probability } = deflation.value
  if (probability.value === undefined) return `${known} No deflated Sharpe ratio: ${probability.reason}`
  const luck = (expectedMaximum * Math.sqrt(DAYS_PER_YEAR)).toFixed(2)
  const [best, by] = trials === 1 ? ['one trial', '1'] : [`the best of ${trials}`, `${trials}`]
  return `${known} Luck alone gives ${best} an annual Sharpe ratio of ${luck}.\nDeflated Sharpe ratio by the number of trials, ${by} (probability that the true ratio is above that luck): ${probability.value.toFixed(3)}`
}

/** The trials that are counted beside one of a study; `undefined` where it did not finish. */
export function countedBeside(study: StudyFile, trial: StudyTrial | undefined): CountedTrials | undefined {
  if (trial?.firstDay === undefined || trial.dailyReturns === undefined) return undefined
  const { firstDay, dailyReturns } = trial
  return deflationIn(study, { ...trial, firstDay, dailyReturns })
}
