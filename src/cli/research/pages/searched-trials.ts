import type { SearchedTrial } from '../../../../backtest/search/search.ts'
import { type EncodedTrials, TrialColumns } from '../../../../backtest/study-report/trial-columns.ts'

/** Objectives whose scores are figures of a trial by the same name. */
const FIGURES: readonly string[] = ['sharpe', 'sortino', 'calmar']

/** Trials of a search for a page: by `objectives`, of which `scoresOf` gives the scores, in order. */
export function searchedTrials(
  trials: readonly SearchedTrial[],
  objectives: readonly string[],
  scoresOf: (trial: SearchedTrial) => readonly (number | undefined)[],
  command: string,
): EncodedTrials {
  const others = objectives.filter(name => !FIGURES.includes(name))
  const columns = new TrialColumns(others, command)
  for (const searched of trials) {
    const { number, trial } = searched
    const scores = scoresOf(searched)
    columns.add({
      ...{ number, ...trial },
      scores: others.map(name => scores[objectives.indexOf(name)]),
    })
  }
  const [first = 'sharpe'] = objectives
  return columns.encoded(others.includes(first) ? `s-${first}` : first)
}
