import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { OutputStreams } from '../streams.ts'
import type { BacktestCommandOptions } from './backtest-command-options.ts'

/**
 * Keeps a run in the study file, if the options name one, and says what its trials leave of its Sharpe ratio. A study that
 * cannot be written is said on `err`, and costs no result.
 */
export async function countedRun(
  report: BacktestReport,
  { study }: Pick<BacktestCommandOptions, 'study'>,
  err: OutputStreams['err'],
): Promise<string | undefined> {
  if (study === undefined) return undefined
  // Loaded only here: SQLite is needed by no other part of a backtest.
  const { countRun } = await import('../research/count-run.ts')
  try {
    return countRun(report, study)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    err.write(`This run was not counted: ${error.message}\n`)
    return undefined
  }
}
