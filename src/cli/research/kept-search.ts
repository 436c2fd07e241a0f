import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { Trial } from '../../../backtest/trials/trial.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { TrialIdentity } from '../../studies/study-trial.ts'
import type { NamedObjective } from './objectives.ts'
import type { SearchDefinition } from './optimize-options.ts'
import { completeParameters } from './remembered-trials.ts'
import type { SearchRequest } from './search-request.ts'
import { hashOf, trialKey } from './trial-identity.ts'

/** Study and backtest of a search. */
export interface KeptSearchOptions {
  readonly study: StudyFile
  readonly backtest: BacktestOptions
  /** Identity of the trials on all klines. */
  readonly identity: TrialIdentity
}

/** Options and data of a search, as the study keeps them. */
export function definitionOf(
  { parameters, sampler, trials, objective, leastTrades, backtest }: SearchRequest,
  objectives: readonly NamedObjective[],
): SearchDefinition {
  const files = objectives.flatMap(({ file }) => file ?? [])
  return { parameters, sampler, trials, objective, leastTrades, seed: backtest.seed, files }
}

/** Keeps a search in the study; the function returned keeps that it asked for a trial, by the trial's number. */
export function keptSearch(
  { study, backtest, identity }: KeptSearchOptions,
  definition: SearchDefinition,
): (number: number, trial: Trial) => void {
  const { trials, ...told } = definition
  const id = hashOf({ ...identity, definition: told })
  // A search that is asked for fewer trials than it has keeps them for --resume.
  const most = trials && Math.max(trials, study.trialsAsked(id))
  study.addSearch({ ...identity, id, definition: { ...definition, trials: most } })
  return (number, trial) => {
    const complete = completeParameters(backtest, trial.parameters)
    if (trial.outcome !== 'refused' && complete !== undefined)
      study.addAsked(id, number, trialKey(identity, complete))
  }
}
