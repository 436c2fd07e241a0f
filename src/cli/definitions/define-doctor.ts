import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `doctor` to the program. */
export function defineDoctor(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('doctor')
    .description('Examine everything that a bot needs before it trades; places no order.')
    .argument('[config]', 'configuration of the bot', 'config/paper.yaml')
    .option('--json', 'write one JSON object', false)
    .action(async (config: string, { json }: { readonly json: boolean }) => {
      const { runDoctor } = await import('../bot/doctor-command.ts')
      onExitCode(await runDoctor({ config, json }, out))
    })
}
