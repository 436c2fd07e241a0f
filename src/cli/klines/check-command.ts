import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkKlines } from '../../klines/check/check-klines.ts'
import type { KlineFormat } from '../../klines/formats/kline-format.ts'
import { readKlineTable } from '../../klines/formats/read-kline-table.ts'
import type { UnreadableRow } from '../../klines/formats/text/unreadable-row.ts'
import type { OutputStreams } from '../streams.ts'
import { type Checked, checkedJson, checkedText, isCheckedClean } from './check-report.ts'
import { checkedSeries } from './checked-series.ts'
import { dataPaths } from './data-paths.ts'

export interface CheckCommandOptions {
  /** Paths and patterns of files; default: the store. */
  readonly data?: readonly string[]
  readonly format?: KlineFormat
  readonly store: string
  /** Filter of stored klines; default: all. */
  readonly venue?: string
  readonly symbol?: string
  /** Interval of the files, or filter of stored klines. */
  readonly interval?: string
  readonly json: boolean
}

/**
 * Checks files or the store completely; resolves to the exit code, 1 with findings. Rejects with
 * `UsageError`.
 */
export async function runCheck(options: CheckCommandOptions, { out }: OutputStreams): Promise<number> {
  const interval = options.interval === undefined ? undefined : intervalOf(options.interval)
  const { data } = options
  const all: Checked[] = []
  for await (const checked of data === undefined
    ? checkedSeries({ ...options, interval })
    : checkedFiles(data, interval, options.format)) {
    all.push(checked)
    if (!options.json) out.write(checkedText(checked))
  }
  if (options.json) out.write(`${checkedJson(all)}\n`)
  return all.every(isCheckedClean) ? 0 : 1
}

async function* checkedFiles(
  data: readonly string[],
  interval: Interval | undefined,
  format: KlineFormat | undefined,
): AsyncGenerator<Checked> {
  if (interval === undefined) {
    throw new UsageError(
      'Files do not contain their interval; give it with --interval, such as --interval 1m.',
    )
  }
  for (const name of dataPaths(data)) {
    const unreadable: UnreadableRow[] = []
    const table = await readKlineTable(name, { format, onUnreadable: row => unreadable.push(row) })
    yield { name, report: checkKlines(table, interval, unreadable), damage: [] }
  }
}
