import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `backup` to the program. */
export function defineBackup(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('backup')
    .description('Copy the journal of a bot, also while it runs, with its paper account, and check the copy.')
    .argument('<journal>', 'the journal of a bot')
    .argument('<file>', 'the copy, a file that does not exist yet')
    .option('--json', 'write one JSON object', false)
    .action(async (journal: string, file: string, { json }: { readonly json: boolean }) => {
      const { runBackup } = await import('../bot/backup-command.ts')
      onExitCode(await runBackup({ journal, file, json }, out))
    })
}
