import type { Command } from 'commander'
import type { OnExitCode, Streams } from '../streams.ts'
import type { ListCommandOptions } from './list-command.ts'
import { storeOption } from './store-options.ts'

/** Adds `klines list`. */
export function defineList(klines: Command, streams: Streams, onExitCode: OnExitCode): void {
  klines
    .command('list')
    .description('Show what is in the store.')
    .addOption(storeOption())
    .option('--json', 'write one JSON object', false)
    .action(async (options: ListCommandOptions) => {
      const { runList } = await import('./list-command.ts')
      onExitCode(runList(options, streams))
    })
}
