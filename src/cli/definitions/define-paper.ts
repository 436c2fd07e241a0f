import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `paper` to the program. */
export function definePaper(program: Command, { out }: OutputStreams, onExitCode: OnExitCode): void {
  const paper = program.command('paper').description('Look at recorded sessions of paper trading.')
  paper
    .command('report')
    .description(
      'Show what of a session is observed and what is assumed, and its result under the best and worst queue.',
    )
    .argument('<folder>', 'the folder of the session, such as data/paper/paper-live')
    .option('--json', 'write one JSON object', false)
    .action(async (folder: string, { json }: { readonly json: boolean }) => {
      const { runPaperReport } = await import('../paper/paper-report-command.ts')
      onExitCode(runPaperReport({ folder, json }, out))
    })
}
