import { studyHtml } from '../../../../backtest/study-report/study-html.ts'
import { projectVersion } from '../../project.ts'
import { backtestLine } from '../backtest-line.ts'
import { luckText } from '../luck-text.ts'
import { noScoreText, type OptimizeReport, trialCountsText } from '../optimize-report.ts'
import { listText } from '../report-parts.ts'
import { searchedTrials } from './searched-trials.ts'

/** The page of a search: every trial of it, and what luck leaves of the best. */
export function optimizePage(report: OptimizeReport): string {
  const { strategy, symbol, interval, from, to, quote, trials, ranked, objectives, definition, counted } =
    report
  const scores = new Map(ranked.map(({ number, scores: of }) => [number, of]))
  const luck = counted && luckText(report.study ?? 'This search', strategy, counted)
  return studyHtml({
    ...{ title: `${strategy} on ${symbol} ${interval}`, from, to, quote, version: projectVersion() },
    notes: [
      `${trialCountsText(trials)} by ${definition.sampler}, seed ${definition.seed}, for ${listText(objectives)}.`,
      ...(luck?.split('\n') ?? [noScoreText(report)]),
    ],
    trials: searchedTrials(trials, {
      ...{ objectives, counted, scoresOf: ({ number }) => scores.get(number) ?? [] },
      command: backtestLine(report.options, report.study ?? false, {}),
    }),
  })
}
