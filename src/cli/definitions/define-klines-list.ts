import type { Command } from 'commander'
import type { ListCommandOptions } from '../klines/list-command.ts'
import { storeOption } from '../store-option.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `klines list`. */
export function defineList(klines: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  klines
    .command('list')
    .description('Show what is in the store.')
    .addOption(storeOption())
    .option('--json', 'write one JSON object', false)
    .action(async (options: ListCommandOptions) => {
      const { runList } = await import('../klines/list-command.ts')
      onExitCode(runList(options, streams))
    })
}
