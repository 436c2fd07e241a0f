import { type Command, Option } from 'commander'
import { SAMPLERS, type SamplerName } from '../../../backtest/search/sampler-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { requireNoContradiction } from '../backtest/input/contradictions.ts'
import { wholeNumberOption } from '../option-values.ts'
import type { OnExitCode, OutputStreams } from '../streams.ts'
import {
  addInputOptions,
  type GivenInputs,
  namesGiven,
  parameterOption,
  readInputs,
} from './input-options.ts'
import { type GivenStudy, studyOption } from './study-options.ts'

interface Given extends GivenInputs, GivenStudy {
  readonly param?: Readonly<Record<string, string>>
  readonly objective: string
  readonly minTrades: number
  readonly sampler: SamplerName
  readonly trials?: number
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
  addInputOptions(
    command,
    parameterOption(
      '--param <name=from:to:step>',
      'narrows a parameter of the strategy, or fixes it: fast=5:50:5, share=0.1:0.5, mode=near,far, slow=100; once for each',
    ),
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
    .addOption(studyOption())
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
  const names = namesGiven(command)
  requireNoContradiction({ names, from: given.from, to: given.to, path: given.path })
  const {
    param = {},
    objective,
    minTrades: leastTrades,
    sampler,
    trials,
    jobs,
    resume = false,
    study,
    json,
  } = given
  if (resume) requireOnlyResume(names)
  const readRun = await readInputs(strategy, given, {}, command)
  const backtest = readRun()
  if ((backtest.markets?.length ?? 1) > 1)
    throw new UsageError('A search has one market, and --symbol names several; search them one by one.')
  const { optimizeCommand } = await import('../research/optimize-command.ts')
  return optimizeCommand(
    { backtest, parameters: param, sampler, trials, objective, leastTrades, jobs, resume, study, json },
    streams,
  )
}

function requireOnlyResume(names: ReadonlySet<string>): void {
  const other = OF_SEARCH.find(name => names.has(name))
  if (other === undefined) return
  throw new UsageError(
    `--resume takes the search from the study, so ${other} contradicts it; leave it out, or leave --resume out to begin another search.`,
  )
}
