import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from '../streams.ts'

/** Adds `schema` to the program. */
export function defineSchema(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  program
    .command('schema')
    .description('Write config/schema, from which editors complete and check configurations.')
    .action(async () => {
      const { runSchema } = await import('../schema/schema-command.ts')
      onExitCode(await runSchema(streams))
    })
}
