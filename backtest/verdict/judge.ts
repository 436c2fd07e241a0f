import { amountToNumber } from '../../src/domain/numbers/amount.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import {
  type ControlPlan,
  randomEntriesTest,
  shiftedSignalsTest,
} from '../../src/research/controls/controls.ts'
import { parametersAt } from '../../src/research/sampling/search-space.ts'
import {
  type MarketRegression,
  marketRegression,
} from '../../src/research/statistics/sample/market-regression.ts'
import { finite, type Statistic, undefinedBecause } from '../../src/research/statistics/statistic.ts'
import {
  type Controls,
  drawdownLuck,
  shuffledTrips,
  type VerdictThresholds,
  verdictCriteria,
} from '../../src/research/verdict/criteria.ts'
import { type Criterion, type Verdict, verdictOf } from '../../src/research/verdict/criterion.ts'
import { type TrialsEvidence, trialsEvidence } from '../../src/research/verdict/trials-evidence.ts'
import type { DailyRecord } from '../../src/research/walk-forward/daily-record.ts'
import type { BacktestResult } from '../results/backtest-result.ts'
import { startEquityOf } from '../results/start-equity.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import { differentTrials, neighboursOf, rankedTrials } from '../search/ranking.ts'
import { type SearchedTrial, type SearchOptions, search } from '../search/search.ts'
import { hasCosts, type StressPlan, stressScenarios } from '../stress/stress-scenarios.ts'
import { type StressRow, stressTest } from '../stress/stress-test.ts'
import { type DailyTrial, returnsOnDaysOf } from '../trials/common-days.ts'
import type { FinishedTrial, Trial, TrialRunner } from '../trials/trial.ts'
import { type WalkForward, windowReturnsOf } from '../walk-forward/walk-forward.ts'
import { marketRecord, marketRecordOfTests } from './market-record.ts'
import { heldSpans, heldToTheEnd, opensAndLastClose, tripReturnsOf } from './positions.ts'

/** Trials, data and thresholds of a verdict. */
export interface JudgeOptions {
  readonly backtest: BacktestOptions
  /** The search over all klines. */
  readonly search: SearchOptions
  /** Further trials, which luck had as well: those that a study knows on klines of some of the same days. */
  readonly earlier: () => Iterable<DailyTrial>
  /** Plays the walk-forward, once the search over all klines is known. */
  readonly walkForward: (searched: readonly Trial[]) => Promise<WalkForward>
  /** Makes a runner for the same backtest made worse. */
  readonly runnerOf: (backtest: BacktestOptions) => TrialRunner
  /** Plays the judged parameters once more, with everything recorded. */
  readonly play: (backtest: BacktestOptions) => Promise<BacktestResult>
  readonly settings: VerdictSettings
  readonly stress: Omit<StressPlan, 'seed' | 'neighbours'>
  readonly seed: number
}

/** Thresholds of a verdict, and sizes of what is drawn for it. */
export interface VerdictSettings extends VerdictThresholds {
  /** Resamples and redrawn sequences. */
  readonly resamples: number
  /** Even number of blocks for the probability of backtest overfitting. */
  readonly blocks: number
  /** Controls of each kind. */
  readonly controls: number
}

/** Holding the market, without costs, beside the strategy. */
export interface MarketBeside {
  /** Over all klines. */
  readonly all: DailyRecord
  /** Over the tests of the walk-forward. */
  readonly tests: DailyRecord
  /** Daily returns of the tests by those of the market. */
  readonly regression: Statistic<MarketRegression>
}

/** A verdict with everything that it follows from. */
export interface Judgement {
  readonly verdict: Verdict
  readonly criteria: readonly Criterion[]
  readonly searched: readonly SearchedTrial[]
  /** Trials that were counted, those of the study among them. */
  readonly trialCount: number
  readonly judged: FinishedTrial
  readonly trials: TrialsEvidence
  readonly walkForward: WalkForward
  readonly stress: readonly StressRow[]
  readonly controls: Controls
  readonly market: MarketBeside
  readonly drawdownLuck: ReturnType<typeof drawdownLuck>
  /** Return of each round trip of the judged parameters, as a fraction of equity. */
  readonly tripReturns: Float64Array
}

/**
 * Searches all klines, walks forward, stresses the best parameters and judges them. Rejects with `UsageError` where no parameters can
 * be played.
 */
export async function judge(options: JudgeOptions): Promise<Judgement> {
  const { backtest, settings, seed } = options
  const searched = await search(options.search)
  const best = bestOf(searched)
  const judged = best.trial as FinishedTrial // the best has finished
  const all = distinctRecords(judged, [...finishedOf(searched), ...options.earlier()])
  const trials = trialsEvidence({
    ...{ trials: all, chosen: judged.dailyReturns, resamples: settings.resamples },
    ...{ seed: `${seed}`, blocks: settings.blocks, confidence: settings.deflatedSharpe },
  })
  const walked = await options.walkForward(searched.map(({ trial }) => trial))
  const stress = await stressed(options, best)
  const chosen = { ...backtest, parameters: judged.parameters }
  const played = await options.play(chosen)
  const { roundTrips } = played
  const tripReturns = tripReturnsOf(roundTrips, startEquityOf(backtest.balances, [backtest]))
  const controlled = controlPlan(chosen, played, options)
  const controls = { random: randomEntriesTest(controlled), shifted: shiftedSignalsTest(controlled) }
  const market = marketBeside(backtest, walked)
  const isFree = !hasCosts(backtest)
  const criteria = verdictCriteria(
    {
      ...{ trialCount: all.length, trials, tripReturns, resamples: settings.resamples, seed: `${seed}` },
      windows: windowReturnsOf(walked.windows),
      outOfSample: walked.stitched.returns,
      besideMarket: market.regression,
      controls,
      isFree,
      atDoubleCosts: isFree ? undefinedBecause(NO_COSTS) : returnOf(stress, 'doubleCosts'),
      onWorstPath: returnOf(stress, 'worstPath'),
    },
    settings,
  )
  return {
    ...{ verdict: verdictOf(criteria), criteria, searched, trialCount: all.length, judged, trials, stress },
    ...{ walkForward: walked, controls, market },
    drawdownLuck: drawdownLuck(tripReturns, shuffledTrips(tripReturns.length, settings.resamples, `${seed}`)),
    tripReturns,
  }
}

const NO_COSTS =
  'The backtest has no fees and no slippage, and twice nothing tests nothing; give those of your exchange in the configuration.'

function marketBeside(
  { klines, interval }: BacktestOptions,
  { windows, stitched }: WalkForward,
): MarketBeside {
  const data = { klines, interval }
  const tests = marketRecordOfTests(
    data,
    windows.map(({ test }) => test),
  )
  return { all: marketRecord(data), tests, regression: marketRegression(stitched.returns, tests.returns) }
}

/** The best trial; the first that finished where none has a score. */
function bestOf(searched: readonly SearchedTrial[]): SearchedTrial {
  const best = rankedTrials(searched)[0] ?? searched.find(({ trial }) => trial.outcome === 'finished')
  if (best !== undefined) return best
  const [first] = searched
  const because =
    first === undefined || first.trial.outcome === 'finished' ? '' : ` The first one: ${first.trial.problem}`
  throw new UsageError(`None of ${differentTrials(searched).length} parameter sets can be played.${because}`)
}

function finishedOf(searched: readonly SearchedTrial[]): FinishedTrial[] {
  return searched.flatMap(({ trial }) => (trial.outcome === 'finished' ? [trial] : []))
}

/** Returns of trials on the days of the judged one, equal ones once: a trial of the search may be one of the study. */
function distinctRecords(judged: DailyTrial, trials: readonly DailyTrial[]): Float64Array[] {
  const byText = new Map<string, Float64Array>()
  for (const trial of trials) {
    const record = returnsOnDaysOf(judged, trial)
    byText.set(Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1'), record)
  }
  return [...byText.values()]
}

function stressed(
  { backtest, search: { parameters }, runnerOf, stress, seed }: JudgeOptions,
  best: SearchedTrial,
) {
  const { space, fixed } = parameters
  const neighbours = neighboursOf(space, best.unit).map(unit => ({ ...fixed, ...parametersAt(space, unit) }))
  const scenarios = stressScenarios(backtest, { ...stress, neighbours, seed: `${seed}` })
  return stressTest(scenarios, best.trial.parameters, runnerOf)
}

/** Total return of a scenario. */
function returnOf(rows: readonly StressRow[], key: string): Statistic {
  const trial = rows.find(row => row.key === key)?.trial
  if (trial?.outcome === 'finished')
    return finite(trial.figures.totalReturn ?? Number.NaN, 'The account was worth nothing at the start.')
  return undefinedBecause(trial?.problem ?? 'It was not played.')
}

function controlPlan(
  { klines, interval, instrument, fills }: BacktestOptions,
  { roundTrips, openPositions }: BacktestResult,
  { settings, seed }: JudgeOptions,
): ControlPlan {
  const ofInstrument = ({ symbol }: { readonly symbol: string }) => symbol === instrument.symbol
  const data = { klines, interval }
  const open = heldToTheEnd(openPositions.filter(ofInstrument), data)
  return {
    prices: opensAndLastClose(klines),
    held: heldSpans([...roundTrips.filter(ofInstrument), ...open], data),
    cost: amountToNumber(instrument.fees.taker) + fills.slippageRate + fills.spreadRate / 2,
    count: settings.controls,
    seed: `${seed}`,
  }
}
