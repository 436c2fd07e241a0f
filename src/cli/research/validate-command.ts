import { deflationOf } from '../../../backtest/search/deflation.ts'
import type { StressPlan } from '../../../backtest/stress/stress-scenarios.ts'
import type { VerdictConfig } from '../../config/verdict-field.ts'
import type { Verdict } from '../../research/verdict/criterion.ts'
import type { StudyReturns } from '../../studies/study-trial.ts'
import { readTrialInput } from '../backtest/backtest-input.ts'
import { backtestSettings } from '../backtest/input/backtest-settings.ts'
import { interruptible } from '../interruption.ts'
import type { OutputStreams } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { runJudge } from './judge-run.ts'
import { keptSearch } from './kept-search.ts'
import { interruptedText } from './opened-study.ts'
import { processTrials } from './process-trials.ts'
import { type ResearchInput, withResearch } from './research-input.ts'
import type { SearchRequest } from './search-request.ts'
import { StepProgress } from './step-progress.ts'
import { hashOf } from './trial-identity.ts'
import { validateReport } from './validate-report.ts'
import { type ResearchReport, writeReport } from './walk-forward-report.ts'
import type { AskedWindows } from './walk-forward-run.ts'

/** A verdict as its command line has it. */
export interface ValidateRequest extends SearchRequest {
  readonly asked: Omit<AskedWindows, 'windows'> & { readonly windows?: number | undefined }
  /** Files of klines of other instruments, by symbol. */
  readonly also: Readonly<Record<string, string>>
  /** A JSON file, or `-` for the standard output; replaces the text. */
  readonly json?: string | undefined
  /** A file for an HTML page. */
  readonly html?: string | undefined
}

const EXIT_CODES: Readonly<Record<Verdict, number>> = { edge: 0, undecided: 3, 'no edge': 4 }

/** Judges a strategy; resolves to 0 for an edge, 3 for undecided, 4 for no edge; rejects with `UsageError`, `StrategyError` or `Interrupted`. */
export function validateCommand(
  request: ValidateRequest,
  { out, err }: Pick<OutputStreams, 'out' | 'err'>,
): Promise<number> {
  return interruptible(
    async () => {
      const { report, verdict } = await withResearch(request, err, research => judged(request, research, err))
      writeReport(report, request.json, out)
      return EXIT_CODES[verdict]
    },
    interruptedText(request.study, 'the same command'),
  )
}

async function judged(
  request: ValidateRequest,
  research: ResearchInput,
  err: OutputStreams['err'],
): Promise<{ report: ResearchReport; verdict: Verdict }> {
  const { input, search, study, identity, definition, runner, windowRunner, leastTraining } = research
  const addAsked = keptSearch({ study, backtest: input, identity }, { ...definition, command: 'validate' })
  let known: readonly StudyReturns[] = []
  const { validate } = backtestSettings(request.backtest)
  const { windows, missedShare, noiseShare, repeats, ...settings } = validate
  const progress = new StepProgress(err)
  const { riskFreeRate } = input.config
  const done = await runJudge({
    ...{ backtest: input, runner, windowRunner, settings, seed: search.seed, leastTraining },
    search: { ...search, onTrial: ({ number, trial }) => addAsked(number, trial) },
    runnerOf: backtest => processTrials({ backtest, riskFreeRate }),
    earlier: () => {
      known = [...study.recordsBeside(identity)]
      return known
    },
    asked: { ...request.asked, windows: request.asked.windows ?? windows },
    stress: { missedShare, noiseShare, repeats, others: await othersOf(request) },
    onWindow: (count, all) => progress.tell(`Walked ${count} of ${all} windows`),
  })
  const counted = { trials: known.length, deflation: deflationOf(done.judged, known) }
  const { verdictPage } = await import('./pages/verdict-page.ts')
  const page = verdictPage({ request, research, settings: validate, done, counted })
  if (request.html !== undefined) writeAtomically(request.html, page)
  study.addVerdict({ ...identity, id: verdictId(request, research, validate), answer: done.verdict }, page)
  return { report: validateReport(research, validate, done, counted), verdict: done.verdict }
}

/** Hash of everything that a verdict was asked for with, but not of the trials that were known by then. */
function verdictId(
  { parameters, sampler, objective, leastTrades, asked, also }: ValidateRequest,
  { identity, search: { seed, trials } }: ResearchInput,
  settings: VerdictConfig,
): string {
  return hashOf({
    ...{ identity, parameters, sampler, seed, trials, objective, leastTrades },
    ...{ asked, also: Object.keys(also), settings },
  })
}

/** The same strategy on files of klines of other instruments. */
function othersOf({ backtest, also }: ValidateRequest): Promise<StressPlan['others']> {
  return Promise.all(
    Object.entries(also).map(async ([symbol, data]) => {
      const { markets: _, from: __, to: ___, ...common } = backtest
      return { name: symbol, backtest: await readTrialInput({ ...common, symbol, data }) }
    }),
  )
}
