import type { Command } from 'commander'
import { UsageError } from '../../domain/sluice-error.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { namesGiven } from './input-options.ts'
import { addSearchOptions, type GivenSearch, readSearch } from './search-options.ts'

interface Given extends GivenSearch {
  readonly resume?: boolean
  readonly json?: string
  readonly html?: string
}

/** Options that a search that goes on takes from its study. */
const OF_SEARCH = ['--param', '--objective', '--min-trades', '--sampler', '--seed']

/** Adds `optimize` to the program. */
export function defineOptimize(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('optimize')
    .description('Search the parameters of a strategy, and say how much of the best result is luck.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
  addSearchOptions(command, 'one for each processor')
    .option('--resume', 'go on with the latest search of the strategy on this data, as it was given')
    .option(
      '--json <file>',
      'write all trials as JSON to a file, or to the output for -, instead of the table',
    )
    .option('--html <file>', 'write an HTML page with charts and every trial to a file as well')
    .action(async (strategy: string, given: Given, own: Command) => {
      onExitCode(await runGiven(strategy, given, own, streams))
    })
}

async function runGiven(
  strategy: string,
  given: Given,
  command: Command,
  streams: OutputStreams,
): Promise<number> {
  const { resume = false, json, html } = given
  if (resume) requireOnlyResume(namesGiven(command))
  const request = await readSearch(strategy, given, command)
  const { optimizeCommand } = await import('../research/optimize-command.ts')
  return optimizeCommand({ ...request, resume, json, html }, streams)
}

function requireOnlyResume(names: ReadonlySet<string>): void {
  const other = OF_SEARCH.find(name => names.has(name))
  if (other === undefined) return
  throw new UsageError(
    `--resume takes the search from the study, so ${other} contradicts it; leave it out, or leave --resume out to begin another search.`,
  )
}
