import { studyHtml } from '../../../../backtest/study-report/study-html.ts'
import {
  type CombinatorialDone,
  combinatorialSentences,
  pathTable,
  splitTable,
} from '../combinatorial-report.ts'
import type { ResearchInput } from '../research-input.ts'
import { recordJson } from '../walk-forward-report.ts'
import { pageHeadOf } from './walk-forward-page.ts'

/** The page of combinatorial splits: the equity of every path, and the choice of every split. */
export function combinatorialPage(research: ResearchInput, done: CombinatorialDone): string {
  const [first] = done.paths
  return studyHtml({
    ...pageHeadOf(research),
    notes: ['Every choice of folds is tested with parameters chosen on the others.'],
    paths: {
      data: {
        firstDay: first?.firstDay ?? 0,
        equity: done.paths.map(path => recordJson(path).equity.map(worth => Number(worth.toPrecision(7)))),
      },
      notes: combinatorialSentences(research, done),
      tables: [
        { id: 'path-table', title: 'Paths', ...pathTable(done) },
        { id: 'splits', title: 'Splits', ...splitTable(research, done) },
      ],
    },
  })
}
