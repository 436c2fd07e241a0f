import { utcText } from '../../domain/market-data/civil-date.ts'
import { intervalOf } from '../../domain/market-data/interval.ts'
import { checkInterval } from '../../klines/check-interval.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import { readStoredKlines } from '../stored-klines.ts'
import type { OutputStreams } from '../streams.ts'
import { absenceText, counted } from './import-report.ts'
import { exportFormatOf, writeKlineFile } from './write-kline-file.ts'

export interface ExportCommandOptions extends TimeSpan {
  /** Path of the file to write; its extension gives the format. */
  readonly file: string
  readonly store: string
  readonly venue?: string
  readonly symbol: string
  readonly interval: string
  /** Write JSON. */
  readonly json: boolean
}

/**
 * Writes klines of the store into a file; resolves to exit code 0, rejects with `UsageError` if there are
 * none.
 */
export async function runExport(options: ExportCommandOptions, { out }: OutputStreams): Promise<number> {
  const { file, json } = options
  const interval = intervalOf(options.interval)
  exportFormatOf(file)
  const { columns, name } = readStoredKlines({ ...options, interval, allowsLess: true })
  const { count: gaps, missing } = checkInterval(columns, interval)
  await writeKlineFile(file, columns)
  // The store gave at least one kline.
  const [first, last] = [columns.openTime[0] as number, columns.openTime.at(-1) as number]
  out.write(
    json
      ? `${JSON.stringify({ file, klines: columns.length, first, last, gaps, missing })}\n`
      : `${file}: ${counted(columns.length, 'kline')}, ${name}, from ${utcText(first)} to ${utcText(last)}, ${absenceText(missing, gaps)}.\n`,
  )
  return 0
}
