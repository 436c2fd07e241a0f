import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { type Deflation, deflationOf } from '../../../backtest/search/deflation.ts'
import type { Statistic } from '../../research/statistics/statistic.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { StudyReturns, StudyTrial, TrialGroup, TrialIdentity } from '../../studies/study-trial.ts'
import { probabilityText } from './report-parts.ts'

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
  return `${known} Luck alone gives ${best} an annual Sharpe ratio of ${luck}.\nDeflated Sharpe ratio by the number of trials, ${by} (probability that the true ratio is above that luck): ${probabilityText(probability.value)}`
}

/** Configurations whose best trials are shown. */
const SHOWN = 10

/**
 * What luck leaves of the best trial of a group, in lines, and the trials that are counted; of several configurations of the best of
 * each, because those without fees look best.
 */
export function luckOfBest(
  study: StudyFile,
  group: TrialGroup,
  path: string,
): { readonly counted: CountedTrials | undefined; readonly lines: readonly string[] } {
  const several = group.configs > 1
  const best = several ? study.bestOfConfigs(group, SHOWN) : study.bestOf(group, 1)
  const counted = best.map(trial => countedBeside(study, trial))
  const lines = best.flatMap((trial, place) => {
    const beside = counted[place]
    if (beside === undefined) return []
    const of = `The best of configuration ${hashText(trial.config)}, ${givenParametersText(trial)}:`
    return [...(several ? [of] : []), ...luckText(path, group.strategy, beside).split('\n')]
  })
  return { counted: counted[0], lines }
}

/** Parameters as options name them. */
export function givenParametersText({ parameters }: Pick<StudyTrial, 'parameters'>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** First characters of a hash, enough for people. */
export function hashText(hash: string): string {
  return hash.slice(0, 8)
}

function countedBeside(study: StudyFile, trial: StudyTrial | undefined): CountedTrials | undefined {
  if (trial?.firstDay === undefined || trial.dailyReturns === undefined) return undefined
  const { firstDay, dailyReturns } = trial
  return deflationIn(study, { ...trial, firstDay, dailyReturns })
}
