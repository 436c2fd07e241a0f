import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `notify` and its commands to the program. */
export function defineNotify(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  const notify = program.command('notify').description('Test the notices of a bot.').helpCommand(false)
  notify
    .command('test')
    .description('Send one notice of every kind to every channel, and show what each answers.')
    .option('--config <file>', 'configuration of the bot', 'config/paper.yaml')
    .option('--json', 'write one JSON array', false)
    .action(async ({ config, json }: { readonly config: string; readonly json: boolean }) => {
      const { runNotifyTest } = await import('../bot/notify-command.ts')
      onExitCode(await runNotifyTest({ config, json }, out))
    })
}
