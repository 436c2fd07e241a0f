import { type Command, Option } from 'commander'
import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkKlines } from '../../klines/check/check-klines.ts'
import { KLINE_FORMATS, type KlineFormat } from '../../klines/formats/kline-format.ts'
import { readKlineTable } from '../../klines/formats/read-kline-table.ts'
import type { UnreadableRow } from '../../klines/formats/text/unreadable-row.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { type Checked, checkedJson, checkedText, isCheckedClean } from './check-report.ts'
import { checkedSeries } from './checked-series.ts'
import { dataPaths } from './data-paths.ts'
import { storeOption } from './store-options.ts'

/** Options of the check command. */
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

/** Adds `klines check`. */
export function defineCheck(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('check')
    .description(
      'Look for gaps, duplicates, disorder, odd times and impossible numbers (exit code 1 if there are any), and for klines without volume and outliers (which are only reported).',
    )
    .option('--data <files...>', 'files of klines, instead of those in the store; patterns too')
    .addOption(
      new Option('--format <format>', 'format of the files; default: detected from the content').choices(
        KLINE_FORMATS,
      ),
    )
    .addOption(storeOption())
    .option('--venue <name>', 'only this venue of the store')
    .option('--symbol <symbol>', 'only this symbol of the store')
    .option('--interval <interval>', 'only this interval of the store, or the interval of the files')
    .option('--json', 'write one JSON object, with everything that was found', false)
    .action(async (options: CheckCommandOptions) => {
      onExitCode(await runCheck(options, streams))
    })
}
