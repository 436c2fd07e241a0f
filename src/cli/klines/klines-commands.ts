import { type CommandDefinition, type CommandLoaders, definitionsOf } from '../command-definition.ts'

const COMMANDS: CommandLoaders = {
  download: async () => (await import('./download-command.ts')).defineDownload,
  list: async () => (await import('./list-command.ts')).defineList,
  import: async () => (await import('./import-command.ts')).defineImport,
  check: async () => (await import('./check-command.ts')).defineCheck,
  resample: async () => (await import('./resample-command.ts')).defineResample,
  export: async () => (await import('./export-command.ts')).defineExport,
  generate: async () => (await import('./generate-command.ts')).defineGenerate,
}

/** Definition of `klines` with the command of a name, or with all of its commands. */
export async function klinesDefinition(name: string | undefined): Promise<CommandDefinition> {
  const definitions = await definitionsOf(COMMANDS, name)
  return (program, streams, onExitCode) => {
    const klines = program
      .command('klines')
      .description('Fetch, import, make up, check, resample and export the klines that backtests read.')
      .helpCommand(false)
    for (const define of definitions) define(klines, streams, onExitCode)
  }
}
