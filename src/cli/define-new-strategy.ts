import type { Command } from 'commander'
import type { OnExitCode, Streams } from './command-line.ts'

/** Adds `new-strategy` to the program. */
export function defineNewStrategy(program: Command, streams: Streams, onExitCode: OnExitCode): void {
  program
    .command('new-strategy')
    .description('Write a new strategy with its test and its configuration, ready to run.')
    .argument('<name>', 'what to call it, such as rsi-dip')
    .action(async (name: string) => {
      const { runNewStrategy } = await import('./new-strategy/new-strategy-command.ts')
      onExitCode(await runNewStrategy(name, streams))
    })
}
