import type { Command } from 'commander'
import { wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { type GivenStudy, studyOption } from './study-options.ts'

/** Adds `view` to the program. */
export function defineView(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('view')
    .description('Show journals in a browser: what their bots did and why. Nothing can be commanded there.')
    .argument('<journals...>', 'the journals of bots, also of those that are running')
    .option('--port <number>', 'TCP port; 0 takes any free one', wholeNumberOption(0, 65_535), 0)
    .addOption(studyOption())
    .option('--json', 'write the address as one JSON object', false)
    .action(
      async (
        journals: readonly string[],
        { port, json, study }: GivenStudy & { readonly port: number; readonly json: boolean },
      ) => {
        const { runView } = await import('../bot/view-command.ts')
        onExitCode(await runView({ journals, port, json, study }, streams))
      },
    )
}
