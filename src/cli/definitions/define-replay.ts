import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `replay` to the program. */
export function defineReplay(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('replay')
    .description('Run the events of a journal again, and compare every decision.')
    .argument('<journal>', 'the journal of a bot, also of one that is running')
    .option('--json', 'write one JSON object', false)
    .action(async (journal: string, { json }: { readonly json: boolean }) => {
      const { runReplay } = await import('../bot/replay-command.ts')
      onExitCode(await runReplay({ journal, json }, out))
    })
}
