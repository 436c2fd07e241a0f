import type { Command } from 'commander'
import type { ExportCommandOptions } from '../klines/export-command.ts'
import { timeOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines export`. */
export function defineExport(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('export')
    .description(
      'Write klines of the store into a file, for pandas, Polars, DuckDB, freqtrade or a spreadsheet.',
    )
    .argument('<file>', 'a .csv, .csv.gz, .arrow, .feather or .parquet file')
    .requiredOption('--symbol <symbol>', 'symbol of the klines, such as BTC/USDT')
    .requiredOption('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .option('--venue <name>', 'venue of the klines, if several have them')
    .addOption(storeOption())
    .option('--from <time>', 'first open time: an ISO date or time in UTC, or ms since 1970', timeOption)
    .option('--to <time>', 'end, not included', timeOption)
    .option('--json', 'write one JSON object', false)
    .action(async (file: string, options: Omit<ExportCommandOptions, 'file'>) => {
      const { runExport } = await import('../klines/export-command.ts')
      onExitCode(await runExport({ ...options, file }, streams))
    })
}
