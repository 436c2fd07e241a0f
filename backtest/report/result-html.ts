import { utcText } from '../../src/domain/market-data/civil-date.ts'
import type { BacktestReport } from './backtest-report.ts'
import { reportPage } from './report-page.ts'
import { breakdownsOf } from './text/breakdown.ts'
import { parameterLines } from './text/parameter-lines.ts'
import { denialNotes, reportNotes } from './text/report-notes.ts'

/**
 * A backtest as one page of HTML that needs nothing else: it opens from a file, without a network, in light and dark. `luck` is what
 * the study says of the run's trials: the only part that does not follow from the report.
 */
export function resultHtml(report: BacktestReport, luck = ''): string {
  const { strategy, manifest, settings, quote } = report
  // The configuration among the inputs is left out: the settings show it, with its defaults.
  const { from, to, inputs, ...rest } = manifest
  const { config: _, ...given } = inputs
  const cautions = denialNotes(report)
  return reportPage(report, {
    title: `${strategy} on ${manifest.symbol} ${manifest.interval}`,
    ...{ version: manifest.version, from, to, klines: manifest.klines },
    parameters: parameterLines(report),
    notes: [
      ...reportNotes(report).filter(note => !cautions.includes(note)),
      ...luck.split('\n').filter(line => line !== ''),
    ],
    breakdowns: breakdownsOf(report, { asset: quote }),
    settings: [
      ['Settings', settings],
      ['Manifest', { ...rest, from: utcText(from), to: utcText(to), inputs: given }],
    ],
  })
}
