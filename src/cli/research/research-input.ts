import type { SearchOptions } from '../../../backtest/search/search.ts'
import { searchedParameters } from '../../../backtest/search/searched-parameters.ts'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import type { TrialIdentity } from '../../studies/study-trial.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import { type BacktestInput, readTrialInput } from '../backtest/backtest-input.ts'
import { SharedSources } from '../backtest/input/cached-sources.ts'
import { outsideImports } from '../backtest/outside-imports.ts'
import type { OutputStreams } from '../streams.ts'
import { identifiedBacktest } from './identified-backtest.ts'
import { definitionOf } from './kept-search.ts'
import { mostTrials } from './most-trials.ts'
import { type NamedObjective, objectivesOf } from './objectives.ts'
import { keepingStudy } from './opened-study.ts'
import type { SearchDefinition } from './optimize-options.ts'
import { rememberedTrials } from './remembered-trials.ts'
import type { SearchRequest } from './search-request.ts'
import { identityOf } from './trial-identity.ts'
import { type RunBacktest, RunnersInTurn, trialRunner } from './trial-runner.ts'
import { flatAtEnd, type LeastTraining } from './walk-forward-run.ts'

/** Everything that is read for a search and its tests. */
export interface ResearchInput {
  readonly input: BacktestInput
  /** Options and data of the search. */
  readonly definition: SearchDefinition
  /** The search on whatever data, without a runner. */
  readonly search: Omit<SearchOptions, 'runner' | 'span' | 'onTrial'>
  /** Shortest training whose trials have a score. */
  readonly leastTraining: LeastTraining
  readonly study: StudyFile
  /** Identity of the trials on all klines. */
  readonly identity: TrialIdentity
  /** Runs trials of all klines, kept in the study. */
  readonly runner: TrialRunner
  /** Runs trials of windows, flat at their end, kept in the study. */
  readonly windowRunner: TrialRunner
}

/** Reads a search, and calls `work` with it; whatever becomes of that, the study is closed. Rejects with `UsageError`. */
export async function withResearch<Result>(
  request: SearchRequest,
  err: OutputStreams['err'],
  work: (research: ResearchInput) => Promise<Result>,
): Promise<Result> {
  const { backtest, study: path } = request
  for (const sentence of outsideImports([backtest.strategy])) err.write(`${sentence}\n`)
  const input = await readTrialInput({ ...backtest, sources: new SharedSources() })
  const objective = await objectiveOf(request)
  const search = searchOf(request, input, objective)
  const study = keepingStudy(path)
  const inTurn = new RunnersInTurn()
  const flat = flatInput(input)
  const by = { queue: request.queue, jobs: request.jobs ?? 1 }
  const keptBy = (options: BacktestCommandOptions, played: BacktestInput) =>
    keptTrials(options, played, study, run => inTurn.runner(() => trialRunner(by, run, err)))
  try {
    return await work({
      ...{ input, search, study, identity: identityOf(identifiedBacktest(backtest, input)) },
      definition: definitionOf(request, [objective]),
      leastTraining: { objective: objective.name, ...objective.leastDays },
      runner: keptBy(backtest, input),
      windowRunner: keptBy({ ...backtest, configValues: flat.configValues }, flat),
    })
  } finally {
    await inTurn.close()
    study.close()
  }
}

async function objectiveOf(request: SearchRequest): Promise<NamedObjective> {
  const [objective, ...others] = await objectivesOf(request.objective, request.leastTrades)
  if (objective === undefined || others.length > 0)
    throw new UsageError(
      `--objective ${request.objective} names several, but each training chooses by one; name one.`,
    )
  return objective
}

function searchOf(
  request: SearchRequest,
  { strategy }: BacktestInput,
  { score }: NamedObjective,
): ResearchInput['search'] {
  const parameters = searchedParameters(strategy, request.parameters)
  const { sampler, backtest } = request
  return {
    parameters,
    sampler,
    seed: backtest.seed,
    trials: mostTrials(request, parameters),
    score,
  }
}

/** The input of windows, as a configuration with `closeAtEnd: lastClose` has it. */
function flatInput(input: BacktestInput): BacktestInput {
  const { config } = input
  const values = input.configValues as { readonly fills?: object } // as a configuration was read from it
  const closeAtEnd = 'lastClose'
  return {
    ...input,
    ...flatAtEnd(input),
    config: { ...config, fills: { ...config.fills, closeAtEnd } },
    configValues: { ...values, fills: { ...values.fills, closeAtEnd } },
  }
}

/** Trials of a backtest that are kept in the study, run by what `runnerOf` makes. */
function keptTrials(
  options: BacktestCommandOptions,
  input: BacktestInput,
  study: StudyFile,
  runnerOf: (run: RunBacktest) => TrialRunner,
): TrialRunner {
  const identified = identifiedBacktest(options, input)
  return rememberedTrials({
    ...{ study, backtest: input },
    runner: runnerOf({ options, input, identity: identityOf(identified) }),
    identityOf: span => identityOf(identified, span),
  })
}
