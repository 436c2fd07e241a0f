import { resumableTrials, type TrialSetup } from '../../../backtest/trials/resumable-trials.ts'
import type { Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import { inTurns } from '../backtest/in-turns.ts'

/** Runs trials in this process; other events run in between. */
export function processTrials(setup: TrialSetup): TrialRunner {
  return {
    async run(sets, span, onTrial = () => {}) {
      const ready: [trial: Trial, index: number][] = []
      // Told between the turns, because what runs during one is refused the clock, as strategies are.
      const tell = () => {
        for (const [trial, index] of ready.splice(0)) onTrial(trial, index)
      }
      const work = resumableTrials(setup, sets, span, (trial, index) => ready.push([trial, index]))
      const trials = await inTurns(work, tell)
      tell()
      return trials
    },
    close: () => Promise.resolve(),
  }
}
