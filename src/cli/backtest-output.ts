import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BacktestReport } from '../../backtest/report/backtest-report.ts'
import type { TableLook } from '../../backtest/report/result-table.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Streams } from './command-line.ts'
import { writeAtomically } from './write-atomically.ts'

/** Where the report of a backtest goes. */
export interface BacktestOutputs {
  /** A file for JSON, or `-` for the output; instead of the table. */
  readonly json?: string
  /** A folder for CSV files; made if it does not exist. */
  readonly csv?: string
  /** A file for a page of HTML. */
  readonly html?: string
}

/** Writes a report to where it is wanted, and only loads what that takes; rejects with `UsageError` where it cannot be written. */
export async function writeReport(
  report: BacktestReport,
  { json, csv, html }: BacktestOutputs,
  out: Streams['out'],
): Promise<void> {
  if (csv !== undefined) await writeCsv(report, csv)
  if (html !== undefined) {
    const { resultHtml } = await import('../../backtest/report/result-html.ts')
    writeAtomically(html, resultHtml(report))
  }
  if (json === undefined) {
    const { resultTable } = await import('../../backtest/report/result-table.ts')
    out.write(`${resultTable(report, lookOf(out))}\n`)
    return
  }
  const { resultJson } = await import('../../backtest/report/result-json.ts')
  if (json === '-') out.write(resultJson(report))
  else writeAtomically(json, resultJson(report))
}

async function writeCsv(report: BacktestReport, folder: string): Promise<void> {
  const { resultCsv } = await import('../../backtest/report/result-csv.ts')
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new UsageError(`The folder ${folder} cannot be made; give one that can be written to.`, cause)
  }
  for (const { name, text } of resultCsv(report)) writeAtomically(join(folder, name), text)
}

/** Plain where nobody looks: in a pipe or a file, the result is the same everywhere. */
function lookOf(out: Streams['out']): TableLook | undefined {
  return out.isTTY === true ? { columns: out.columns, styled: out.hasColors() } : undefined
}
