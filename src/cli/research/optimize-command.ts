import { paretoFront, plateauOf, rankedTrials } from '../../../backtest/search/ranking.ts'
import { type SearchedTrial, search } from '../../../backtest/search/search.ts'
import { type SearchedParameters, searchedParameters } from '../../../backtest/search/searched-parameters.ts'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { StudyFile } from '../../studies/study-file.ts'
import { type BacktestInput, readTrialInput } from '../backtest/backtest-input.ts'
import { SharedSources } from '../backtest/input/cached-sources.ts'
import { outsideImports } from '../backtest/outside-imports.ts'
import { interruptible } from '../interruption.ts'
import type { OutputStreams } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { identifiedBacktest } from './identified-backtest.ts'
import { definitionOf, keptSearch } from './kept-search.ts'
import { deflationIn } from './luck-text.ts'
import { mostTrials } from './most-trials.ts'
import { type NamedObjective, objectivesOf } from './objectives.ts'
import { interruptedText, keepingStudy } from './opened-study.ts'
import type { OptimizeOptions, SearchDefinition } from './optimize-options.ts'
import { type OptimizeReport, writeOptimizeReport } from './optimize-report.ts'
import { rememberedTrials } from './remembered-trials.ts'
import { identityOf } from './trial-identity.ts'
import { TrialProgress } from './trial-progress.ts'
import { trialRunner } from './trial-runner.ts'

/** Searches the parameters of a strategy; resolves to exit code 0, or 1 where no trial was finished; rejects with `UsageError`, `StrategyError` or `Interrupted`. */
export function optimizeCommand(
  options: OptimizeOptions,
  streams: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  return interruptible(
    async () => {
      const report = await optimized(options, streams.err)
      if (options.html !== undefined) {
        const { optimizePage } = await import('./pages/optimize-page.ts')
        writeAtomically(options.html, optimizePage(report))
      }
      writeOptimizeReport(report, options, streams.out)
      return report.trials.some(({ trial }) => trial.outcome === 'finished') ? 0 : 1
    },
    interruptedText(options.study, 'the same command, or --resume,'),
  )
}

/** Settings that the parts of a search share. */
interface Searching {
  readonly input: BacktestInput
  readonly study: StudyFile
  readonly identity: ReturnType<typeof identityOf>
  readonly definition: SearchDefinition
  readonly parameters: SearchedParameters
  readonly objectives: readonly NamedObjective[]
  readonly trials: number
}

async function optimized(options: OptimizeOptions, err: OutputStreams['err']): Promise<OptimizeReport> {
  const { backtest } = options
  for (const sentence of outsideImports([backtest.strategy])) err.write(`${sentence}\n`)
  const input = await readTrialInput({ ...backtest, sources: new SharedSources() })
  const identified = identifiedBacktest(backtest, input)
  const identity = identityOf(identified)
  const study = keepingStudy(options.study)
  try {
    const given = options.resume ? resumed(options, study, identity, input) : options
    const objectives = await objectivesOf(given.objective, given.leastTrades)
    const parameters = searchedParameters(input.strategy, given.parameters)
    const definition = definitionOf(given, objectives)
    const searching = {
      input,
      study,
      identity,
      definition,
      parameters,
      objectives,
      trials: mostTrials(given, parameters),
    }
    const runner = rememberedTrials({
      ...{ study, backtest: input },
      runner: await trialRunner(options, { options: backtest, input, identity }, err),
      identityOf: span => identityOf(identified, span),
    })
    try {
      return reportOf(given, searching, await searched(searching, runner, err))
    } finally {
      await runner.close()
    }
  } finally {
    study.close()
  }
}

/** The options of the latest search, as far as they are not about this run only; throws `UsageError` where there is none. */
function resumed(
  options: OptimizeOptions,
  study: StudyFile,
  identity: Searching['identity'],
  { strategy }: BacktestInput,
): OptimizeOptions {
  const latest = study.latestSearch(identity)
  if (latest === undefined)
    throw new UsageError(
      `${options.study} has no search of ${identity.strategy} on this data to go on with; leave --resume out to begin one.`,
    )
  if (latest.code !== identity.code || latest.config !== identity.config)
    throw new UsageError(
      `The ${latest.code === identity.code ? 'configuration' : 'code'} has changed since the latest search of ${identity.strategy}, so its trials do not count for a new one; leave --resume out to begin anew.`,
    )
  const { seed, files: _, ...definition } = latest.definition as SearchDefinition // as it was kept
  const given = { ...options, ...definition, backtest: { ...options.backtest, seed } }
  const { trials } = options
  const most = mostTrials(given, searchedParameters(strategy, definition.parameters))
  const asked = Math.max(most, study.trialsAsked(latest.id))
  if (trials !== undefined && trials < asked)
    throw new UsageError(
      `The latest search of ${identity.strategy} was asked for ${asked} trials, and --trials ${trials} asks for fewer; give --trials ${asked} or more, or leave it out.`,
    )
  return { ...given, trials: trials ?? definition.trials }
}

async function searched(
  { input, study, identity, definition, parameters, objectives, trials }: Searching,
  runner: TrialRunner,
  err: OutputStreams['err'],
): Promise<readonly SearchedTrial[]> {
  const addAsked = keptSearch({ study, backtest: input, identity }, definition)
  const progress = new TrialProgress(err, trials)
  await progress.start()
  const [first] = objectives as [NamedObjective] // at least one
  try {
    return await search({
      ...{ parameters, trials, runner, score: first.score },
      ...{ sampler: definition.sampler, seed: definition.seed },
      onTrial({ number, trial }) {
        progress.add()
        addAsked(number, trial)
      },
    })
  } finally {
    progress.stop()
  }
}

function reportOf(
  options: OptimizeOptions,
  { input, study, identity, definition, parameters, objectives }: Searching,
  trials: readonly SearchedTrial[],
): OptimizeReport {
  const ranked = rankedTrials(trials)
  const best = ranked[0]?.trial
  const scored = ranked.map(trial => ({
    ...trial,
    plateau: plateauOf(parameters.space, trials, trial.unit),
    scores: objectives.map(({ score }) =>
      trial.trial.outcome === 'finished' ? score(trial.trial) : undefined,
    ),
  }))
  return {
    strategy: input.strategy.name,
    quote: input.instrument.quote,
    ...{ symbol: identity.symbol, interval: identity.interval, from: identity.from, to: identity.to },
    definition,
    space: parameters.space,
    objectives: objectives.map(({ name }) => name),
    leastDays: (objectives[0] as NamedObjective).leastDays, // at least one
    trials,
    ranked: scored,
    front: objectives.length > 1 ? paretoFront(scored) : undefined,
    counted: best?.outcome === 'finished' ? deflationIn(study, { ...identity, ...best }) : undefined,
    study: options.study === false ? undefined : options.study,
    options: options.backtest,
  }
}
