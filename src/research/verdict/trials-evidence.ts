import { optimalBlockLength } from '../statistics/resampling/block-length.ts'
import { stationaryResamples } from '../statistics/resampling/resamples.ts'
import { isConstant } from '../statistics/sample/sample-problem.ts'
import {
  type DeflatedSharpe,
  deflatedSharpe,
  type TriedSharpes,
} from '../statistics/sharpe/deflated-sharpe.ts'
import { minimumTrackRecordLength } from '../statistics/sharpe/probabilistic-sharpe.ts'
import { sharpeEstimate } from '../statistics/sharpe/sharpe-estimate.ts'
import { defined, derived, type Statistic, undefinedBecause } from '../statistics/statistic.ts'
import { type BacktestOverfitting, backtestOverfitting } from '../statistics/trials/backtest-overfitting.ts'
import { effectiveTrials, varianceOfTrialSharpes } from '../statistics/trials/effective-trials.ts'
import { superiorAbility } from '../statistics/trials/superior-ability.ts'
import { type TrialReturns, trialsProblem } from '../statistics/trials/trials-problem.ts'

/** All trials of a search on the same days, and settings of what is computed of them. */
export interface TriedRecord {
  /** Daily returns of every trial. */
  readonly trials: TrialReturns
  /** Daily returns of the trial that is judged. */
  readonly chosen: Float64Array
  /** Resamples of the test for superior predictive ability. */
  readonly resamples: number
  readonly seed: string
  /** Even number of blocks for the probability of backtest overfitting. */
  readonly blocks: number
  /** Confidence that a record is to reach. */
  readonly confidence: number
}

/** Statistics of all trials together. */
export interface TrialsEvidence {
  /** Consistent, studentised p-value of the best of all trials against cash. */
  readonly superiorAbility: Statistic
  /** Of the chosen trial, with the effective number of trials. */
  readonly deflated: Statistic<DeflatedSharpe>
  readonly tried: Statistic<TriedSharpes>
  /** Days that a record like the chosen one needs to pass its deflated benchmark with the confidence. */
  readonly daysNeeded: Statistic
  readonly overfitting: Statistic<BacktestOverfitting>
}

/** Blocks of resamples where the returns tell no length: about a week. */
const USUAL_BLOCK = 7

/** Computes the statistics of all trials; every one of them may be undefined, with its reason. */
export function trialsEvidence(record: TriedRecord): TrialsEvidence {
  const { trials, chosen, blocks, confidence } = record
  const estimate = sharpeEstimate(chosen)
  const tried = triedSharpes(trials)
  const deflated = both(estimate, tried, deflatedSharpe)
  return {
    superiorAbility: superiorAbilityP(record),
    deflated,
    tried,
    daysNeeded: both(estimate, deflated, (of, { expectedMaximum }) =>
      minimumTrackRecordLength(of, expectedMaximum, confidence),
    ),
    overfitting: backtestOverfitting(trials, blocks),
  }
}

function both<First, Second, Result>(
  first: Statistic<First>,
  second: Statistic<Second>,
  compute: (first: First, second: Second) => Statistic<Result>,
): Statistic<Result> {
  return derived(first, one => derived(second, other => compute(one, other)))
}

function superiorAbilityP({ trials, chosen, resamples: count, seed }: TriedRecord): Statistic {
  const problem = trialsProblem(trials)
  if (problem !== undefined) return undefinedBecause(problem)
  const meanBlock = Math.max(1, optimalBlockLength(chosen).value?.stationary ?? USUAL_BLOCK)
  const resamples = stationaryResamples({ size: chosen.length, count, seed: `${seed}/spa`, meanBlock })
  return derived(superiorAbility(trials, resamples, meanBlock), ({ studentised }) =>
    derived(studentised, ({ consistent }) => defined(consistent)),
  )
}

/** Effective number of trials and variance of their ratios; one trial that varies was chosen among no others. */
function triedSharpes(trials: TrialReturns): Statistic<TriedSharpes> {
  if (trials.filter(returns => !isConstant(returns)).length === 1) return defined({ trials: 1, variance: 0 })
  return both(effectiveTrials(trials), varianceOfTrialSharpes(trials), ({ effective }, variance) =>
    defined({ trials: effective, variance }),
  )
}
