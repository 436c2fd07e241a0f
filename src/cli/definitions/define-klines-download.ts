import { type Command, Option } from 'commander'
import type { DownloadCommandOptions } from '../klines/download-command.ts'
import { timeOption } from '../option-values.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

const ARCHIVE_URL = 'https://data.binance.vision'

/** Adds `klines download`. */
export function defineDownload(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('download')
    .description(
      'Fetch klines from an exchange or from the public archive of Binance into the store: what is absent there, as far as it has closed.',
    )
    .requiredOption(
      '--symbols, --symbol <symbols>',
      'BTC/USDT, or a futures contract such as E-BTC-USDT; several with commas',
    )
    .option('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .option(
      '--from <time>',
      'first open time: an ISO date or time in UTC, or ms since 1970; without it as far back as the exchange has them',
      timeOption,
    )
    .option('--to <time>', 'end, not included; otherwise now', timeOption)
    .addOption(
      new Option('--source <source>', 'an exchange of the interface, or the public archive of Binance')
        .choices(['exchange', 'binance'])
        .default('exchange'),
    )
    .option(
      '--profile <name>',
      'the exchange: the name of a profile such as koinbay, the path of a profile file, or a URL',
    )
    .option('--spot-url <url>', 'the spot host of the exchange, for pairs')
    .option('--futures-url <url>', 'the futures host of the exchange, for contracts')
    .option(
      '--config <file>',
      'configuration of a bot whose venue is the exchange, if no option names it',
      'config/paper.yaml',
    )
    .addOption(
      new Option('--type <type>', 'what to fetch from the archive')
        .choices(['klines', 'trades', 'aggTrades', 'funding'])
        .default('klines'),
    )
    .option('--archive-url <url>', 'the archive, or a mirror of it', ARCHIVE_URL)
    .option(
      '--venue <name>',
      'folder of the store; otherwise the name of the profile or of the host, or binance',
    )
    .addOption(storeOption())
    .option('--again', 'fetch what is stored already too, and store what has changed', false)
    .option('--json', 'write JSON lines', false)
    .action(async (options: DownloadCommandOptions) => {
      const { runDownload } = await import('../klines/download-command.ts')
      onExitCode(await runDownload(options, streams))
    })
}
