import type { Command } from 'commander'
import { timeOption } from '../option-values.ts'
import type { OnExitCode, Streams } from '../streams.ts'
import type { DownloadCommandOptions } from './download-command.ts'
import { storeOption } from './store-options.ts'

/** Adds `klines download`. */
export function defineDownload(klines: Command, streams: Streams, onExitCode: OnExitCode): void {
  klines
    .command('download')
    .description(
      'Fetch klines from an exchange into the store: what is absent there, as far as it has closed.',
    )
    .requiredOption('--symbol <symbol>', 'BTC/USDT, or a futures contract such as E-BTC-USDT')
    .requiredOption('--interval <interval>', 'length of a kline, such as 1m or 1h')
    .requiredOption(
      '--from <time>',
      'first open time: an ISO date or time in UTC, or ms since 1970',
      timeOption,
    )
    .option('--to <time>', 'end, not included; otherwise now', timeOption)
    .option('--spot-url <url>', 'the exchange; otherwise the one in the configuration')
    .option('--futures-url <url>', 'the futures host of the exchange, for contracts')
    .option('--config <file>', 'configuration of a bot whose venue is the exchange', 'config/paper.yaml')
    .option('--venue <name>', 'folder of the store; otherwise the name of the host')
    .addOption(storeOption())
    .option('--again', 'fetch what is stored already too, and store what has changed', false)
    .option('--json', 'write JSON lines', false)
    .action(async (options: DownloadCommandOptions) => {
      const { runDownload } = await import('./download-command.ts')
      onExitCode(await runDownload(options, streams))
    })
}
