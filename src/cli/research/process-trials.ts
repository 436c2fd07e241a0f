import { resumableTrials, type TrialSetup } from '../../../backtest/trials/resumable-trials.ts'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import { inTurns } from '../backtest/in-turns.ts'

/** Runs trials in this process; other events run in between. */
export function processTrials(setup: TrialSetup): TrialRunner {
  return {
    run: (sets, span, onTrial) => inTurns(resumableTrials(setup, sets, span, onTrial)),
    close: () => Promise.resolve(),
  }
}
