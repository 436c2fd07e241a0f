import type { Command } from 'commander'
import { positiveNumberOption, timeOption, wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, Streams } from '../streams.ts'
import type { ExchangeCommandOptions } from './exchange-command.ts'

/** Adds `exchange` to the program. */
export function defineExchange(program: Command, { out }: Streams, onExitCode: OnExitCode): void {
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
    .option('--config <file>', 'configuration of the exchange')
    .option('--json', 'write URLs and keys as one line of JSON', false)
    .action(async (options: ExchangeCommandOptions) => {
      const { runExchange } = await import('./exchange-command.ts')
      onExitCode(await runExchange(options, out))
    })
}
