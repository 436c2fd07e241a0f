import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import type { TableLook } from '../../../backtest/report/text/result-table.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { OutputStreams } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { inTurns } from './in-turns.ts'

/** Targets of a backtest's report. */
export interface BacktestOutputs {
  /** A JSON file, or `-` for the standard output; replaces the table. */
  readonly json?: string
  /** A folder for CSV files; created if needed. */
  readonly csv?: string
  /** A file for an HTML page. */
  readonly html?: string
}

/** Writes one part of a report; throws `UsageError` if that fails. */
type Write = () => void

/**
 * Renders the requested parts of a report, with only the modules that they need, and returns their writers;
 * other events may run in between. `luck` stands below the table and among the notes of the
 * page: what the study says of the run's trials, which is no part of its result.
 */
export async function renderReport(
  report: BacktestReport,
  { json, csv, html }: BacktestOutputs,
  out: OutputStreams['out'],
  luck?: string,
): Promise<Write[]> {
  const writes: Write[] = []
  if (csv !== undefined) writes.push(await renderCsv(report, csv))
  if (html !== undefined) {
    const { resultHtml } = await import('../../../backtest/report/result-html.ts')
    const page = resultHtml(report, luck)
    writes.push(() => writeAtomically(html, page))
  }
  writes.push(await (json === undefined ? renderTable(report, out, luck) : renderJson(report, json, out)))
  await setImmediate()
  return writes
}

async function renderTable(
  report: BacktestReport,
  out: OutputStreams['out'],
  luck: string | undefined,
): Promise<Write> {
  const { resultTable } = await import('../../../backtest/report/text/result-table.ts')
  const table = resultTable(report, lookOf(out))
  return () => out.write(luck === undefined ? `${table}\n` : `${table}\n\n${luck}\n`)
}

async function renderJson(report: BacktestReport, json: string, out: OutputStreams['out']): Promise<Write> {
  const { resultJson } = await import('../../../backtest/report/export/result-json.ts')
  await setImmediate()
  const bytes = resultJson(report)
  return json === '-' ? () => out.write(bytes) : () => writeAtomically(json, bytes)
}

async function renderCsv(report: BacktestReport, folder: string): Promise<Write> {
  const { resultCsv } = await import('../../../backtest/report/export/result-csv.ts')
  const files = await inTurns(resultCsv(report))
  return () => {
    try {
      mkdirSync(folder, { recursive: true })
    } catch (cause) {
      throw new UsageError(`The folder ${folder} cannot be made; give one that can be written to.`, cause)
    }
    for (const { name, text } of files) writeAtomically(join(folder, name), text)
  }
}

/** Plain in a pipe or a file, so that the result is the same everywhere. */
function lookOf(out: OutputStreams['out']): TableLook | undefined {
  return out.isTTY === true ? { columns: out.columns, styled: out.hasColors() } : undefined
}
