import type { Command } from 'commander'
import type { OnExitCode, OutputStreams } from './streams.ts'

/** Adds a command to its parent. */
export type CommandDefinition = (parent: Command, streams: OutputStreams, onExitCode: OnExitCode) => void

/** Loaders of definitions by the names of commands, in the order of the help. */
export type CommandLoaders = Readonly<Record<string, () => Promise<CommandDefinition>>>

/**
 * Definition of the command of a name, or of all commands if there is none: a definition brings all the code
 * that its command runs with, which takes up to a second to load.
 */
export function definitionsOf(loaders: CommandLoaders, name = ''): Promise<CommandDefinition[]> {
  const wanted = Object.entries(loaders).filter(([own]) => own === name)
  const loading = wanted.length > 0 ? wanted : Object.entries(loaders)
  return Promise.all(loading.map(([, load]) => load()))
}
