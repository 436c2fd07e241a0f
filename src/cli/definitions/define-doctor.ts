import type { Command } from 'commander'
import { UsageError } from '../../domain/sluice-error.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'

interface Options {
  readonly venue?: string
  readonly futures?: string
  readonly write?: string
  readonly json: boolean
}

/** Adds `doctor` to the program. */
export function defineDoctor(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('doctor')
    .description('Examine everything that a bot needs before it trades, or an exchange; places no order.')
    .argument('[config]', 'configuration of the bot', 'config/paper.yaml')
    .option(
      '--venue <profile or URL>',
      'examine an exchange instead: which calls its hosts have, how they answer',
    )
    .option(
      '--futures <URL>',
      'with --venue, the futures host; without it, the same address or that of the profile',
    )
    .option('--write <file>', 'with --venue, write the profile of the exchange to a new file')
    .option('--json', 'write one JSON object', false)
    .action(async (config: string, { venue, ...options }: Options) => {
      if (venue !== undefined) {
        const { runVenueDoctor } = await import('../bot/venue-doctor.ts')
        onExitCode(await runVenueDoctor({ venue, ...options }, process.env, out))
        return
      }
      if (options.futures !== undefined || options.write !== undefined)
        throw new UsageError('--futures and --write go with --venue, which names the exchange.')
      const { runDoctor } = await import('../bot/doctor-command.ts')
      onExitCode(await runDoctor({ config, json: options.json }, out))
    })
}
