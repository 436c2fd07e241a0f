import { type Command, Option } from 'commander'
import { SAMPLERS, type SamplerName } from '../../../backtest/search/sampler-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { requireNoContradiction } from '../backtest/input/contradictions.ts'
import { wholeNumberOption } from '../option-values.ts'
import type { SearchRequest } from '../research/search-request.ts'
import {
  addInputOptions,
  type GivenInputs,
  namesGiven,
  parameterOption,
  readInputs,
} from './input-options.ts'
import { type GivenStudy, studyOption } from './study-options.ts'

/** Options that say what a search tries, on which data, as commander gives them. */
export interface GivenSearch extends GivenInputs, GivenStudy {
  readonly param?: Readonly<Record<string, string>>
  readonly objective: string
  readonly minTrades: number
  readonly sampler: SamplerName
  readonly trials?: number
}

/** Adds the options that say what a search tries, on which data, and where its trials are kept; `queue` replaces `--queue`. */
export function addSearchOptions(command: Command, queue?: Option): Command {
  return addInputOptions(
    command,
    parameterOption(
      '--param <name=from:to:step>',
      'narrows a parameter of the strategy, or fixes it: fast=5:50:5, share=0.1:0.5, mode=near,far, slow=100; once for each',
    ),
    queue,
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
}

/** The search of a command line; throws `UsageError` for options that contradict each other. */
export async function readSearch(
  strategy: string,
  given: GivenSearch,
  command: Command,
): Promise<SearchRequest> {
  const { param = {}, objective, minTrades: leastTrades, sampler, trials, study } = given
  const names = namesGiven(command)
  requireNoContradiction({ names, from: given.from, to: given.to, path: given.path })
  const backtest = (await readInputs(strategy, given, {}, command))()
  if ((backtest.markets?.length ?? 1) > 1)
    throw new UsageError('A search has one market, and --symbol names several; search them one by one.')
  return { backtest, parameters: param, sampler, trials, objective, leastTrades, study }
}
