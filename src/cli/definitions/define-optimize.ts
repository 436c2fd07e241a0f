import type { Command } from 'commander'
import { UsageError } from '../../domain/sluice-error.ts'
import { wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { namesGiven } from './input-options.ts'
import { addSearchOptions, type GivenSearch, readSearch } from './search-options.ts'

interface Given extends GivenSearch {
  readonly jobs?: number
  readonly resume?: boolean
  readonly json?: string
}

/** Options that a search that goes on takes from its study. */
const OF_SEARCH = ['--param', '--objective', '--min-trades', '--sampler', '--seed']

/** Adds `optimize` to the program. */
export function defineOptimize(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('optimize')
    .description('Search the parameters of a strategy, and say how much of the best result is luck.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
  addSearchOptions(command)
    .option(
      '--jobs <number>',
      'threads that run trials, with the same results; default: one for each processor',
      wholeNumberOption(1, 256),
    )
    .option('--resume', 'go on with the latest search of the strategy on this data, as it was given')
    .option(
      '--json <file>',
      'write all trials as JSON to a file, or to the output for -, instead of the table',
    )
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
  const { jobs, resume = false, json } = given
  if (resume) requireOnlyResume(namesGiven(command))
  const request = await readSearch(strategy, given, command)
  const { optimizeCommand } = await import('../research/optimize-command.ts')
  return optimizeCommand({ ...request, jobs, resume, json }, streams)
}

function requireOnlyResume(names: ReadonlySet<string>): void {
  const other = OF_SEARCH.find(name => names.has(name))
  if (other === undefined) return
  throw new UsageError(
    `--resume takes the search from the study, so ${other} contradicts it; leave it out, or leave --resume out to begin another search.`,
  )
}
