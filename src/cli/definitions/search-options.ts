import { type Command, InvalidArgumentError, Option } from 'commander'
import { SAMPLERS, type SamplerName } from '../../../backtest/search/sampler-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { QUEUE_ASSUMPTIONS, type QueueAssumption } from '../../matching/queue-assumption.ts'
import { requireNoContradiction } from '../backtest/input/contradictions.ts'
import { wholeNumberOption } from '../option-values.ts'
import { type RedisAccess, redisAccessOf } from '../redis-access.ts'
import type { SearchRequest } from '../research/search-request.ts'
import {
  addInputOptions,
  type GivenInputs,
  namesGiven,
  parameterOption,
  readInputs,
} from './input-options.ts'
import { type GivenStudy, studyOption } from './study-options.ts'

/** Value of `--queue`: a place on recorded ticks, or the workers of the trials. */
interface GivenQueue {
  readonly place?: QueueAssumption
  readonly redis?: RedisAccess
}

/** Options that say what a search tries, on which data and by what, as commander gives them. */
export interface GivenSearch extends Omit<GivenInputs, 'queue'>, GivenStudy {
  readonly queue?: GivenQueue
  readonly jobs?: number
  readonly param?: Readonly<Record<string, string>>
  readonly objective: string
  readonly minTrades: number
  readonly sampler: SamplerName
  readonly trials?: number
}

/** Adds the options that say what a search tries, on which data, what runs its trials, and where they are kept; `threads` says how many by default. */
export function addSearchOptions(command: Command, threads = 'one'): Command {
  return addInputOptions(
    command,
    parameterOption(
      '--param <name=from:to:step>',
      'narrows a parameter of the strategy, or fixes it: fast=5:50:5, share=0.1:0.5, mode=near,far, slow=100; once for each',
    ),
    { queue: queueOption() },
  )
    .option(
      '--objective <names>',
      'what to search for: sharpe, sortino, calmar, return-over-drawdown, profit-factor, a file that exports a function, or several with commas',
      'sharpe',
    )
    .option(
      '--min-trades <number>',
      'round trips below which a profit factor counts for nothing',
      wholeNumberOption(1),
      30,
    )
    .addOption(new Option('--sampler <name>', 'how parameters are chosen').choices(SAMPLERS).default('tpe'))
    .option('--trials <number>', 'most trials; default: 100, or all of a grid', wholeNumberOption(1))
    .addOption(studyOption())
    .option(
      '--jobs <number>',
      `threads that run trials, with the same results; default: ${threads}`,
      wholeNumberOption(1, 256),
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
  const redis = redisAccessOf(text)
  if (redis !== undefined) return { redis }
  throw new InvalidArgumentError('Write an address such as redis://127.0.0.1:6379, or front, shown or back.')
}

/** The search of a command line; throws `UsageError` for options that contradict each other. */
export async function readSearch(
  strategy: string,
  given: GivenSearch,
  command: Command,
): Promise<SearchRequest> {
  const { param = {}, objective, minTrades: leastTrades, sampler, trials, study, jobs, queue = {} } = given
  const names = namesGiven(command)
  requireNoContradiction({ names, from: given.from, to: given.to, path: given.path })
  const backtest = (await readInputs(strategy, { ...given, queue: queue.place }, {}, command))()
  if ((backtest.markets?.length ?? 1) > 1)
    throw new UsageError('A search has one market, and --symbol names several; search them one by one.')
  return {
    ...{ backtest, parameters: param, sampler, trials, objective, leastTrades, study },
    ...{ jobs, queue: queue.redis },
  }
}
