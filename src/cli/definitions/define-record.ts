import type { Command } from 'commander'
import { durationOption, positiveNumberOption, wholeNumberOption } from '../option-values.ts'
import type { RecordCommandOptions } from '../record/record-command.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `record` to the program. */
export function defineRecord(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('record')
    .description(
      'Record the markets of an exchange into the store until Ctrl-C, for backtests. Needs no key.',
    )
    .requiredOption(
      '--symbols, --symbol <symbols>',
      'BTC/USDT, or a futures contract such as E-BTC-USDT; several with commas',
    )
    .option(
      '--profile <name>',
      'the exchange: the name of a profile such as koinbay, the path of a profile file, or a URL',
    )
    .option('--spot-url <url>', 'the spot host of the exchange, for pairs')
    .option('--futures-url <url>', 'the futures host of the exchange, for contracts')
    .option('--every <duration>', 'time between two reads of trades and of a book', durationOption, 1000)
    .option('--levels <number>', 'levels of a book on each side', wholeNumberOption(1, 100), 20)
    .option('--interval <interval>', 'length of the klines', '1m')
    .option('--funding-hours <hours>', 'time between two funding settlements', positiveNumberOption, 8)
    .option(
      '--weight-per-minute <weight>',
      'request weight of this machine that the exchange allows a minute',
      wholeNumberOption(200),
      12_000,
    )
    .option('--venue <name>', 'folder of the store; otherwise the name of the profile or of the host')
    .addOption(storeOption())
    .option('--stop-after <duration>', 'end after this time, such as 8h', durationOption)
    .option('--plan', 'show the reads and their weight, and send nothing', false)
    .option('--json', 'write JSON lines', false)
    .action(async (options: RecordCommandOptions) => {
      const { runRecord } = await import('../record/record-command.ts')
      onExitCode(await runRecord(options, streams))
    })
}
