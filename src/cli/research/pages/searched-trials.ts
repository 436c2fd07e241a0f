import { differentTrials } from '../../../../backtest/search/ranking.ts'
import type { SearchedTrial } from '../../../../backtest/search/search.ts'
import { type EncodedTrials, TrialColumns } from '../../../../backtest/study-report/trial-columns.ts'
import type { CountedTrials } from '../luck-text.ts'

/** Objectives whose scores are figures of a trial by the same name. */
const FIGURES: readonly string[] = ['sharpe', 'sortino', 'calmar']

/** Objectives of a search, scores by them in order, the command of its trials, and all trials that are counted. */
export interface SearchedPage {
  readonly objectives: readonly string[]
  readonly scoresOf: (trial: SearchedTrial) => readonly (number | undefined)[]
  readonly command: string
  readonly counted: CountedTrials | undefined
}

/** Trials of a search for a page, each parameter set once. */
export function searchedTrials(
  trials: readonly SearchedTrial[],
  { objectives, scoresOf, command, counted }: SearchedPage,
): EncodedTrials {
  const others = objectives.filter(name => !FIGURES.includes(name))
  const columns = new TrialColumns(others, command)
  for (const searched of differentTrials(trials)) {
    const { number, trial } = searched
    const scores = scoresOf(searched)
    columns.add({
      ...{ number, ...trial },
      scores: others.map(name => scores[objectives.indexOf(name)]),
    })
  }
  const [first = 'sharpe'] = objectives
  return columns.encoded(others.includes(first) ? `s-${first}` : first, counted?.deflation.value)
}
