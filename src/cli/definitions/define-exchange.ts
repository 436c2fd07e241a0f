import { type Command, Option } from 'commander'
import { DIALECT_NAMES } from '../../simulator/dialects/dialects.ts'
import type { ExchangeCommandOptions } from '../exchange/exchange-command.ts'
import { positiveNumberOption, timeOption, wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `exchange` to the program. */
export function defineExchange(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('exchange')
    .description('Serve a simulated exchange on this machine.')
    .option('--port <number>', 'TCP port; 0 takes any free one', wholeNumberOption(0, 65_535), 0)
    .option(
      '--futures-port <number>',
      'TCP port of the futures host alone; without it, one port is both hosts',
      wholeNumberOption(0, 65_535),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--speed <factor>',
      "exchange time per real time; 1 is the machine's time",
      positiveNumberOption,
      1,
    )
    .option(
      '--start <time>',
      "what time it is there at first, such as 2024-08-08; otherwise the machine's time",
      timeOption,
    )
    .option('--manual-time', 'let time stand still until POST /sim/time moves it', false)
    .option(
      '--seed <number>',
      'seed of all that is random, instead of the one in the configuration',
      wholeNumberOption(0),
    )
    .addOption(
      new Option(
        '--profile <name>',
        'answer like a real host instead of like the interface document',
      ).choices(DIALECT_NAMES),
    )
    .option('--config <file>', 'configuration of the exchange')
    .option('--json', 'write URLs and keys as one line of JSON', false)
    .action(async (options: ExchangeCommandOptions) => {
      const { runExchange } = await import('../exchange/exchange-command.ts')
      onExitCode(await runExchange(options, out))
    })
}
