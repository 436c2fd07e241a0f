import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import {
  type FinishedTrial,
  orderedFigures,
  type ParameterSet,
  type Trial,
  type TrialRunner,
} from '../../../backtest/trials/trial.ts'
import { declaredWarmUp } from '../../../backtest/validation/warm-up/declared-warm-up.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { StudyTrial, TrialIdentity } from '../../studies/study-trial.ts'
import { studyTrial, trialKey } from './trial-identity.ts'

/** Keys by which trials are looked up in a study file. */
export interface RememberedOptions {
  /** Runs what the study does not have. */
  readonly runner: TrialRunner
  readonly study: StudyFile
  readonly backtest: BacktestOptions
  /** Identity of the trials of a span, or of all klines. */
  readonly identityOf: (span?: TimeSpan) => TrialIdentity
}

/**
 * Runs trials that a study does not have yet, and keeps each as soon as it is known; of equal sets only one is run. Trials that the
 * strategy refuses are not kept: to refuse them again costs nothing.
 */
export function rememberedTrials({ runner, study, backtest, identityOf }: RememberedOptions): TrialRunner {
  return {
    async run(sets, span, onTrial = () => {}) {
      const identity = identityOf(span)
      const trials: Trial[] = []
      const tell = (trial: Trial, index: number) => {
        trials[index] = trial
        onTrial(trial, index)
      }
      const missing = new Map<string, number[]>()
      sets.forEach((set, index) => {
        const parameters = completeParameters(backtest, set)
        // A refused set is asked for by its own name.
        const key =
          parameters === undefined ? `refused ${JSON.stringify(set)}` : trialKey(identity, parameters)
        const known = parameters && study.trial(key)
        if (parameters !== undefined && known !== undefined)
          tell(trialFrom({ ...backtest, parameters }, known), index)
        else missing.set(key, [...(missing.get(key) ?? []), index])
      })
      const places = [...missing.values()]
      const asked = places.map(([first]) => sets[first as number] as ParameterSet) // each has one
      if (asked.length > 0) {
        await runner.run(asked, span, (trial, place) => {
          if (trial.outcome !== 'refused') study.addTrial(studyTrial(identity, keptTrial(trial)))
          for (const index of places[place] ?? []) tell(trial, index)
        })
      }
      return trials
    },
    close: () => runner.close(),
  }
}

/** Parameters with the defaults; `undefined` where the strategy refuses them. */
export function completeParameters(
  { strategy, parameters }: BacktestOptions,
  set: ParameterSet,
): ParameterSet | undefined {
  try {
    return strategy.parameterValues({ ...parameters, ...set })
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

function keptTrial(trial: Trial) {
  const { parameters } = trial
  if (trial.outcome !== 'finished') return { outcome: 'failed', parameters, problem: trial.problem } as const
  const { outcome, figures, firstDay, dailyReturns, openForMs } = trial
  const kept = { ...figures, ...(openForMs !== undefined && { openForMs }) }
  return { outcome, parameters, figures: kept, firstDay, dailyReturns }
}

/** A kept trial with the parameters of its backtest, in the order of the strategy. */
function trialFrom(backtest: BacktestOptions, kept: StudyTrial): Trial {
  const { parameters } = backtest
  const { problem = '', figures, firstDay, dailyReturns } = kept
  if (figures === undefined || firstDay === undefined || dailyReturns === undefined)
    return { outcome: 'failed', parameters, problem }
  const { openForMs } = figures
  return {
    outcome: 'finished',
    parameters,
    figures: orderedFigures(figures),
    firstDay,
    dailyReturns,
    ...(typeof openForMs === 'number' && { openForMs }),
    warmUp: declaredWarmUp(backtest),
  } satisfies FinishedTrial
}
