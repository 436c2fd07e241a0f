import { type Command, InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../../domain/sluice-error.ts'
import { QUEUE_ASSUMPTIONS, type QueueAssumption } from '../../matching/queue-assumption.ts'
import { wholeNumberOption } from '../option-values.ts'
import { isRedisUrl } from '../redis-url.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import { namesGiven } from './input-options.ts'
import { addSearchOptions, type GivenSearch, readSearch } from './search-options.ts'

interface Given extends Omit<GivenSearch, 'queue'> {
  readonly queue?: GivenQueue
  readonly jobs?: number
  readonly resume?: boolean
  readonly json?: string
  readonly html?: string
}

/** Value of `--queue`: a place on recorded ticks, or the workers of the trials. */
interface GivenQueue {
  readonly place?: QueueAssumption
  /** Address of Redis. */
  readonly redis?: string
}

/** Options that a search that goes on takes from its study. */
const OF_SEARCH = ['--param', '--objective', '--min-trades', '--sampler', '--seed']

/** Adds `optimize` to the program. */
export function defineOptimize(program: Command, streams: OutputStreams, onExitCode: OnExitCode): void {
  const command = program
    .command('optimize')
    .description('Search the parameters of a strategy, and say how much of the best result is luck.')
    .argument('<strategy>', 'strategy file, such as strategies/sma-cross.ts')
  addSearchOptions(command, queueOption())
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
  const { jobs, queue = {}, resume = false, json, html } = given
  if (resume) requireOnlyResume(namesGiven(command))
  const request = await readSearch(strategy, { ...given, queue: queue.place }, command)
  const { optimizeCommand } = await import('../research/optimize-command.ts')
  return optimizeCommand({ ...request, jobs, queue: queue.redis, resume, json, html }, streams)
}

function requireOnlyResume(names: ReadonlySet<string>): void {
  const other = OF_SEARCH.find(name => names.has(name))
  if (other === undefined) return
  throw new UsageError(
    `--resume takes the search from the study, so ${other} contradicts it; leave it out, or leave --resume out to begin another search.`,
  )
}

function queueOption(): Option {
  return new Option(
    '--queue <url>',
    'address of Redis, such as redis://127.0.0.1:6379: npm run worker runs the trials, on any number of machines; or front, shown or back: the place of resting orders on recorded ticks',
  ).argParser(givenQueue)
}

function givenQueue(text: string): GivenQueue {
  const place = QUEUE_ASSUMPTIONS.find(name => name === text)
  if (place !== undefined) return { place }
  if (isRedisUrl(text)) return { redis: text }
  throw new InvalidArgumentError('Write an address such as redis://127.0.0.1:6379, or front, shown or back.')
}
