import { returnsProblem } from '../sample/sample-problem.ts'

/** Returns of each trial, all over the same periods. */
export type TrialReturns = readonly Float64Array[]

/** The reason why a set of trials has no statistic at all, as a sentence; `undefined` where it has. */
export function trialsProblem(trials: TrialReturns, periods = 2): string | undefined {
  const [first] = trials
  if (first === undefined) return 'There are no trials.'
  for (const [index, trial] of trials.entries()) {
    if (trial.length !== first.length) {
      return `Trial ${index + 1} has ${trial.length} returns, the first one ${first.length}.`
    }
    const problem = returnsProblem(trial, periods)
    if (problem !== undefined) return `Trial ${index + 1}: ${problem}`
  }
  return undefined
}
