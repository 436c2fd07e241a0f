import { UsageError } from '../../src/domain/sluice-error.ts'
import { firstRowAfter } from '../../src/klines/row-search.ts'
import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import { StrategyError } from '../../src/strategy/strategy-error.ts'
import { numberOf } from '../metrics/metric.ts'
import { metricsOf } from '../metrics/metrics.ts'
import { dailySeriesOf, returnsOf } from '../metrics/returns/daily-series.ts'
import type { EquityCurve } from '../metrics/returns/equity-curve.ts'
import type { BacktestResult } from '../results/backtest-result.ts'
import { startEquityOf } from '../results/start-equity.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'
import type { Resumable } from '../run/resumable.ts'
import { resumableBacktest } from '../run/run-backtest.ts'
import { declaredWarmUp } from '../validation/warm-up/declared-warm-up.ts'
import { requireDecisions } from '../validation/warm-up/require-decisions.ts'
import { type OnTrial, type ParameterSet, TRIAL_FIGURES, type Trial, type TrialFigures } from './trial.ts'
import { backtestOfRows, rowsOfSpan, type SpanRows } from './trial-span.ts'

/** Everything that trials of one strategy have in common. */
export interface TrialSetup {
  /** Its parameters hold where a set names none. */
  readonly backtest: BacktestOptions
  /** Annual, a fraction. */
  readonly riskFreeRate: number
}

/** Plays parameter sets one after the other, with pauses; see `TrialRunner.run`. */
export function* resumableTrials(
  setup: TrialSetup,
  sets: readonly ParameterSet[],
  span?: TimeSpan,
  onTrial: OnTrial = () => {},
): Resumable<readonly Trial[]> {
  const rows = span && rowsOfSpan(setup.backtest, span)
  const trials: Trial[] = []
  for (const parameters of sets) {
    const trial = yield* resumableTrial(setup, parameters, rows)
    onTrial(trial, trials.push(trial) - 1)
  }
  return trials
}

function* resumableTrial(
  { backtest: common, riskFreeRate }: TrialSetup,
  given: ParameterSet,
  rows: SpanRows | undefined,
): Resumable<Trial> {
  const all = { ...common, parameters: { ...common.parameters, ...given } }
  let parameters = given
  try {
    parameters = all.strategy.parameterValues(all.parameters)
    const before = rows === undefined ? 0 : Math.min(declaredWarmUp(all), rows.first)
    const backtest = rows === undefined ? all : backtestOfRows(all, rows.first - before, rows.end)
    const warmUp = requireDecisions(backtest)
    const result = yield* resumableBacktest(backtest)
    return { outcome: 'finished', parameters, warmUp, ...outcomeOf(backtest, before, result, riskFreeRate) }
  } catch (error) {
    if (error instanceof UsageError) return { outcome: 'refused', parameters, problem: error.message }
    if (error instanceof StrategyError) return { outcome: 'failed', parameters, problem: error.message }
    throw error
  }
}

/** Figures and daily returns from the row `before` on. */
function outcomeOf(backtest: BacktestOptions, before: number, result: BacktestResult, riskFreeRate: number) {
  const { instrument, interval, klines } = backtest
  const curve = curveFrom(backtest, before, result)
  const { roundTrips, fills, openPositions } = result
  const { figures } = metricsOf({
    ...{ curve, roundTrips, fills, openPositions, riskFreeRate },
    markets: [{ instrument, interval, klines }],
  })
  const series = dailySeriesOf(curve)
  return {
    // Every name gets its figure.
    figures: Object.fromEntries(TRIAL_FIGURES.map(name => [name, numberOf(figures[name])])) as TrialFigures,
    firstDay: series.firstDay,
    dailyReturns: returnsOf(series),
  }
}

function curveFrom(
  backtest: BacktestOptions,
  row: number,
  { equityTime: time, equity }: BacktestResult,
): EquityCurve {
  const startTime = backtest.klines.openTime[row] as number // the first of the span
  const startEquity = startEquityOf(backtest.balances, [backtest])
  if (row === 0) return { startTime, startEquity, time, equity }
  const first = firstRowAfter(time, startTime)
  return {
    startTime,
    startEquity: equity[first - 1] ?? startEquity,
    time: time.subarray(first),
    equity: equity.subarray(first),
  }
}
