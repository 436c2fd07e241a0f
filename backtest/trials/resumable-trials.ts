import { UsageError } from '../../src/domain/sluice-error.ts'
import { shareIndicators } from '../../src/indicators/formula-indicator.ts'
import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import { StrategyError } from '../../src/strategy/strategy-error.ts'
import { numberOf } from '../metrics/metric.ts'
import { dailyReturnsOf } from '../metrics/returns/daily-returns.ts'
import { returnMetrics } from '../metrics/returns/return-metrics.ts'
import { riskMetrics } from '../metrics/returns/risk-metrics.ts'
import { profitFactorOf, winRateOf } from '../metrics/round-trips/round-trip-metrics.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import type { Resumable } from '../run/resumable.ts'
import { declaredWarmUp } from '../validation/warm-up/declared-warm-up.ts'
import { requireDecisions } from '../validation/warm-up/require-decisions.ts'
import { type SpanDays, spanDaysOf } from './span-days.ts'
import { resumableTally, type TalliedRun } from './tallied-run.ts'
import { type FinishedTrial, type OnTrial, orderedFigures, type ParameterSet, type Trial } from './trial.ts'
import { backtestOfRows, rowsOfSpan, type SpanRows } from './trial-span.ts'

/** Everything that trials of one strategy have in common. */
export interface TrialSetup {
  /** Its parameters hold where a set names none. */
  readonly backtest: BacktestOptions
  /** Annual, a fraction. */
  readonly riskFreeRate: number
}

/** Most rows of all trials that are played together; each has some memory per row where other data act between its klines. */
const MOST_ROWS = 8_000_000
/** Most trials that are played together. They share indicators, but the orders of more would outgrow the youngest memory. */
export const MOST_TOGETHER = 8
/** Time after which the first of those that are played together should be known, ms: slow ones are played with fewer others. */
const MOST_GROUP_MS = 20_000
/** Time of playing after which it is known how long a trial takes, ms. */
const MEASURED_MS = 1000

/** Parts that the trials of one span share. */
interface SpanWork extends TrialSetup {
  /** Rows of the span; without one, all. */
  readonly rows: SpanRows
  readonly isSpan: boolean
  readonly days: SpanDays
  readonly scratch: Float64Array
}

/** Parts that trials which are played together share. */
interface SharedWork extends SpanWork {
  /** Backtests of the span by their first row, whose indicators are shared. */
  readonly starts: Map<number, BacktestOptions>
}

const latestSpans = new WeakMap<
  TrialSetup,
  { readonly span: TimeSpan | undefined; readonly work: SpanWork }
>()

/** Plays parameter sets, some of them together and block by block, with pauses; see `TrialRunner.run`. */
export function* resumableTrials(
  setup: TrialSetup,
  sets: readonly ParameterSet[],
  span?: TimeSpan,
  onTrial: OnTrial = () => {},
): Resumable<readonly Trial[]> {
  const common = spanWorkOf(setup, span)
  const { rows } = common
  const { length } = setup.backtest.klines
  let together = Math.max(1, Math.min(MOST_TOGETHER, Math.floor(MOST_ROWS / length)))
  const trials: Trial[] = []
  const waiting: (readonly [index: number, parameters: ParameterSet])[] = [...sets.entries()]
  while (waiting.length > 0) {
    const shared = { ...common, starts: new Map() }
    const works = new Map<number, Resumable<Trial>>()
    for (const [index, parameters] of waiting.splice(0, together))
      works.set(index, resumableTrial(shared, parameters))
    const putOff = yield* inStep(works, rows.end - rows.first, (trial, index) => {
      trials[index] = trial
      onTrial(trial, index)
    })
    if (putOff.length === 0) continue
    together = Math.max(1, works.size - putOff.length)
    waiting.unshift(...putOff.map(index => [index, sets[index] as ParameterSet] as const)) // one of them
  }
  return trials
}

/** The parts of the latest span of a setup: sets come few at once, and a million klines take a while to be gone through. */
function spanWorkOf(setup: TrialSetup, span: TimeSpan | undefined): SpanWork {
  const known = latestSpans.get(setup)
  if (known !== undefined && known.span === span) return known.work
  const { klines, interval } = setup.backtest
  const rows = span === undefined ? { first: 0, end: klines.length } : rowsOfSpan(setup.backtest, span)
  const days = spanDaysOf(klines, interval, rows)
  const scratch = new Float64Array(klines.length)
  const work = { ...setup, rows, isSpan: span !== undefined, days, scratch }
  latestSpans.set(setup, { span, work })
  return work
}

/**
 * Plays trials, each of so many klines, block by block and each to its next pause in turn. Where they turn out to be slow, the last ones are put
 * off, so that the others are known sooner: they must begin anew, because what they share goes on without them. Returns their places.
 */
function* inStep(
  works: ReadonlyMap<number, Resumable<Trial>>,
  klines: number,
  onTrial: OnTrial,
): Resumable<readonly number[]> {
  const left = new Map(works)
  let [playedMs, played, putOff]: [number, number, readonly number[]] = [0, 0, []]
  let isMeasured = false
  while (left.size > 0) {
    for (const [index, work] of left) {
      const step = work.next()
      if (step.done === true) {
        left.delete(index)
        onTrial(step.value, index)
      } else {
        playedMs += (yield step.value) ?? 0
        played += step.value
      }
    }
    if (isMeasured || playedMs < MEASURED_MS) continue
    isMeasured = true
    const most = Math.max(1, Math.floor((MOST_GROUP_MS * played) / (playedMs * klines)))
    putOff = [...left.keys()].slice(most)
    for (const index of putOff) left.delete(index)
  }
  return putOff
}

function* resumableTrial(shared: SharedWork, given: ParameterSet): Resumable<Trial> {
  const { backtest: common, isSpan, rows, days, scratch } = shared
  const all = { ...common, parameters: { ...common.parameters, ...given } }
  let parameters = given
  try {
    parameters = all.strategy.parameterValues(all.parameters)
    if (common.feeds !== undefined) requireSameFeeds(common, parameters)
    const before = isSpan ? Math.min(declaredWarmUp(all), rows.first) : 0
    const backtest = { ...startedAt(shared, rows.first - before), parameters: all.parameters }
    const warmUp = requireDecisions(backtest)
    const run = yield* resumableTally(backtest, { before, days, scratch })
    return { outcome: 'finished', parameters, warmUp, ...outcomeOf(shared, run) }
  } catch (error) {
    if (error instanceof UsageError) return { outcome: 'refused', parameters, problem: error.message }
    if (error instanceof StrategyError) return { outcome: 'failed', parameters, problem: error.message }
    throw error
  }
}

/** The backtest from a row to the end of the span, the same klines for all trials that begin there. */
function startedAt({ backtest, isSpan, rows, starts }: SharedWork, start: number): BacktestOptions {
  const known = starts.get(start)
  if (known !== undefined) return known
  const cut = isSpan ? backtestOfRows(backtest, start, rows.end) : backtest
  const started = { ...cut, klines: shareIndicators(cut.klines) }
  starts.set(start, started)
  return started
}

/** Throws `UsageError` where parameters lead to other feeds than those that data were read for. */
function requireSameFeeds({ strategy, parameters }: BacktestOptions, given: ParameterSet): void {
  if (JSON.stringify(strategy.feeds(given)) === JSON.stringify(strategy.feeds(parameters))) return
  throw new UsageError(
    `Strategy "${strategy.name}" follows other feeds with these parameters than with those that data were read for; search its feeds one by one.`,
  )
}

function outcomeOf(
  { backtest: { interval }, riskFreeRate, days: { startTime, endTime } }: SharedWork,
  run: TalliedRun,
): Pick<FinishedTrial, 'figures' | 'firstDay' | 'dailyReturns' | 'openForMs'> {
  const { series, maxDrawdown, endEquity, roundTrips, fills, longestDurationMs, openForMs } = run
  const returns = dailyReturnsOf(series, interval)
  const curve = { startTime, startEquity: series.start, time: [endTime], equity: [endEquity] }
  const { netProfit, totalReturn, cagr } = returnMetrics(curve, returns, [])
  const { sharpe, sortino, calmar } = riskMetrics({ series, returns, riskFreeRate, cagr, maxDrawdown })
  const ratios = { netProfit, totalReturn, cagr, sharpe, sortino, calmar }
  const trips = { winRate: winRateOf({ ...run, count: roundTrips }), profitFactor: profitFactorOf(run) }
  const numbers = Object.entries({ ...ratios, ...trips }).map(([name, figure]) => [name, numberOf(figure)])
  return {
    figures: orderedFigures({
      ...Object.fromEntries(numbers),
      ...{ maxDrawdown, roundTrips, fills },
      longestDurationMs: roundTrips === 0 ? null : longestDurationMs,
    }),
    firstDay: series.firstDay,
    dailyReturns: returns.values,
    ...(openForMs > 0 && { openForMs }),
  }
}
