import type { SamplerName } from '../../../backtest/search/sampler-name.ts'
import { samplerOf } from '../../../backtest/search/search.ts'
import type { ParameterSet, Trial } from '../../../backtest/trials/trial.ts'
import { combinatorialTest } from '../../../backtest/walk-forward/combinatorial.ts'
import { longestHolding, longestWarmUp } from '../../../backtest/walk-forward/window-plan.ts'
import { parametersAt, type UnitPoint } from '../../research/sampling/search-space.ts'
import { type CombinatorialPlan, combinatorialSplits } from '../../research/splits/combinatorial-splits.ts'
import { interruptible } from '../interruption.ts'
import type { OutputStreams } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { combinatorialReport } from './combinatorial-report.ts'
import { keptSearch } from './kept-search.ts'
import { interruptedText } from './opened-study.ts'
import { type ResearchInput, withResearch } from './research-input.ts'
import type { SearchRequest } from './search-request.ts'
import { StepProgress } from './step-progress.ts'
import { type ResearchReport, walkForwardReport, writeReport } from './walk-forward-report.ts'
import { type AskedWindows, runWalkForward } from './walk-forward-run.ts'

/** A walk-forward as its command line has it. */
export interface WalkForwardRequest extends SearchRequest {
  readonly asked: Omit<AskedWindows, 'embargo'> & { readonly embargo?: number | undefined }
  /** Combinatorial purged cross-validation instead of windows. */
  readonly combinatorial?: Pick<CombinatorialPlan, 'folds' | 'testFolds'> | undefined
  /** A JSON file, or `-` for the standard output; replaces the text. */
  readonly json?: string | undefined
  /** A file for an HTML page. */
  readonly html?: string | undefined
}

/** Tests a search on data that it has not seen; resolves to exit code 0, rejects with `UsageError`, `StrategyError` or `Interrupted`. */
export function walkForwardCommand(
  request: WalkForwardRequest,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  return interruptible(
    async () => {
      const report = await withResearch(request, err, research =>
        request.combinatorial === undefined
          ? windowsReport(request, research, err)
          : foldsReport(request, request.combinatorial, research, err),
      )
      writeReport(report, request.json, out)
      return 0
    },
    interruptedText(request.study, 'the same command'),
  )
}

async function windowsReport(
  { asked, html }: WalkForwardRequest,
  research: ResearchInput,
  err: OutputStreams['err'],
): Promise<ResearchReport> {
  const { input, windowRunner: runner, search, leastTraining } = research
  const progress = new StepProgress(err)
  const done = await runWalkForward({
    ...{ backtest: input, runner, search, asked: { ...asked, embargo: asked.embargo ?? 0 }, leastTraining },
    onWindow: (count, windows) => progress.tell(`Walked ${count} of ${windows} windows`),
  })
  if (html !== undefined) {
    const { walkForwardPage } = await import('./pages/walk-forward-page.ts')
    writeAtomically(html, walkForwardPage(research, done))
  }
  return walkForwardReport(research, done)
}

async function foldsReport(
  { asked, html }: WalkForwardRequest,
  folds: Pick<CombinatorialPlan, 'folds' | 'testFolds'>,
  research: ResearchInput,
  err: OutputStreams['err'],
): Promise<ResearchReport> {
  const { input, windowRunner: runner } = research
  const { klines, interval } = input
  const sets = setsOf(research)
  const isKnown = asked.purge !== undefined && asked.embargo !== undefined
  // On all klines as a search plays them, so that they count as its trials and not as others.
  const seen = isKnown ? [] : await trialsOnAll(research, sets)
  const most = Math.floor(klines.length / folds.folds / 4) // so that most of each fold is left
  const plan = {
    ...{ ...folds, rows: klines.length },
    purge: asked.purge ?? Math.min(longestHolding(seen, interval), most),
    embargo: asked.embargo ?? Math.min(longestWarmUp(seen), most),
  }
  const splits = combinatorialSplits(plan)
  const progress = new StepProgress(err)
  const found = await combinatorialTest({
    ...{ data: { klines, interval }, splits, sets, runner },
    onSplit: done => progress.tell(`Tested ${done} of ${splits.splits.length} splits`),
  })
  const done = { ...found, plan, splits }
  if (html !== undefined) {
    const { combinatorialPage } = await import('./pages/combinatorial-page.ts')
    writeAtomically(html, combinatorialPage(research, done))
  }
  return combinatorialReport(research, done)
}

/** Runs parameter sets on all klines, kept in the study as those that this command asked for. */
function trialsOnAll(
  { input, study, identity, definition, runner }: ResearchInput,
  sets: readonly ParameterSet[],
): Promise<readonly Trial[]> {
  const sampler = learnless(definition.sampler)
  const search = { ...definition, sampler, command: 'walk-forward' } as const
  const addAsked = keptSearch({ study, backtest: input, identity }, search)
  return runner.run(sets, undefined, (trial, number) => addAsked(number, trial))
}

/** The sampler whose points stand for those of one that learns from results. */
function learnless(sampler: SamplerName): SamplerName {
  return sampler === 'tpe' ? 'sobol' : sampler
}

/** The parameter sets of a search that learns nothing from results: those that its sampler asks for first. */
function setsOf({ search: { parameters, sampler, seed, trials } }: ResearchInput): ParameterSet[] {
  const next = samplerOf(learnless(sampler), parameters.space, seed)
  const pending: UnitPoint[] = []
  while (pending.length < trials) {
    const unit = next(pending.length, { finished: [], pending })
    if (unit === undefined) break
    pending.push(unit)
  }
  return pending.map(unit => ({ ...parameters.fixed, ...parametersAt(parameters.space, unit) }))
}
