import type { OnTrial, ParameterSet, TrialRunner } from '../../../backtest/trials/trial.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import type { SharedPlaces } from './shared-places.ts'

/** Runs sets that it takes until none is left. Where one cannot be run, none is left for others either. */
export async function runTaken(
  runner: TrialRunner,
  sets: readonly ParameterSet[],
  span: TimeSpan | undefined,
  places: SharedPlaces,
  onTrial: OnTrial,
): Promise<void> {
  try {
    for (let taken = places.take(); taken !== undefined; taken = places.take()) {
      const { first, end } = taken
      await runner.run(sets.slice(first, end), span, (trial, index) => onTrial(trial, first + index))
    }
  } catch (error) {
    places.end()
    throw error
  }
}
