import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Given {
  readonly template?: string
  readonly list: boolean
}

/** Adds `new-strategy` to the program. */
export function defineNewStrategy(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('new-strategy')
    .description('Write a new strategy with its test and its configuration, ready to run.')
    .argument('[name]', 'what to call it, such as rsi-dip')
    .option('--template <example>', 'begin as one of the examples that come with Sluice, such as sma-cross')
    .option('--list', 'only name the examples', false)
    .action(async (name: string | undefined, { template, list }: Given, command: Command) => {
      if (list) {
        const { templateList } = await import('../new-strategy/templates.ts')
        streams.out.write(templateList())
        return
      }
      if (name === undefined) command.error("error: missing required argument 'name'")
      const { runNewStrategy } = await import('../new-strategy/new-strategy-command.ts')
      onExitCode(await runNewStrategy(name, template, streams))
    })
}
