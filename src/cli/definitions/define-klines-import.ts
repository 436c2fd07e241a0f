import { type Command, Option } from 'commander'
import { KLINE_FORMATS } from '../../klines/formats/kline-format.ts'
import type { ImportCommandOptions } from '../klines/import-command.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines import`. */
export function defineImport(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('import')
    .description('Read files of klines (or funding rates, or trades) into the store.')
    .argument(
      '<files...>',
      'CSV (as this project and the dumps of Binance have it), freqtrade JSON, Arrow, feather or Parquet; texts also in gzip or ZIP; patterns such as "2024-*.zip" too',
    )
    .requiredOption('--venue <name>', 'where the data is from, such as binance; a folder of the store')
    .requiredOption('--symbol <symbol>', 'what the data is of: BTC/USDT, or a contract such as E-BTC-USDT')
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .addOption(
      new Option('--type <type>', 'what the files hold')
        .choices(['klines', 'funding', 'trades'])
        .default('klines'),
    )
    .addOption(
      new Option('--format <format>', 'format of the klines; default: detected from the content').choices(
        KLINE_FORMATS,
      ),
    )
    .addOption(storeOption())
    .option('--json', 'write JSON lines', false)
    .action(async (files: readonly string[], options: Omit<ImportCommandOptions, 'files'>) => {
      const { runImport } = await import('../klines/import-command.ts')
      onExitCode(await runImport({ ...options, files }, streams))
    })
}
