import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import type { Amount } from '../../src/domain/numbers/amount.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { type Convention, conventionWith } from './convention.ts'
import type { ReplayedMarket } from './market.ts'
import { type Benchmark, type BenchmarkMetrics, benchmarkMetrics } from './returns/benchmark-metrics.ts'
import { dailyReturnsOf } from './returns/daily-returns.ts'
import { dailySeriesOf } from './returns/daily-series.ts'
import { type Drawdown, deepestFallOf, drawdownsOf } from './returns/drawdown.ts'
import { type DrawdownMetrics, drawdownMetrics } from './returns/drawdown-metrics.ts'
import type { EquityCurve } from './returns/equity-curve.ts'
import { type MonthReturn, monthsOf } from './returns/months.ts'
import { type ReturnMetrics, returnMetrics } from './returns/return-metrics.ts'
import { type RiskMetrics, riskMetrics } from './returns/risk-metrics.ts'
import type { CostedFill } from './round-trips/costed-fill.ts'
import { type RoundTripColumns, roundTripColumns } from './round-trips/round-trip-columns.ts'
import { type RoundTripGroup, roundTripGroups } from './round-trips/round-trip-groups.ts'
import { type RoundTripMetrics, roundTripMetrics } from './round-trips/round-trip-metrics.ts'
import { talliesOf } from './round-trips/round-trip-tally.ts'
import { totalsOf } from './round-trips/round-trip-totals.ts'
import { type TradingMetrics, tradingMetrics } from './trading-metrics.ts'

/** Every figure of a run that is one number; each interface defines its own. */
export interface Figures
  extends ReturnMetrics,
    BenchmarkMetrics,
    RiskMetrics,
    DrawdownMetrics,
    RoundTripMetrics,
    TradingMetrics {}

/** Results of a backtest. */
export interface Metrics {
  readonly convention: Convention
  readonly figures: Figures
  readonly months: readonly MonthReturn[]
  /** The deepest first; at most five. */
  readonly drawdowns: readonly Drawdown[]
  readonly byExitReason: readonly RoundTripGroup[]
  readonly byTag: readonly RoundTripGroup[]
  readonly byDirection: readonly RoundTripGroup[]
  /** As long as the round trips, in their order. */
  readonly columns: RoundTripColumns
}

export interface MetricsInput {
  readonly curve: EquityCurve
  /** Buy and hold, at the times of `curve`; only its course counts, not its size. */
  readonly benchmark?: EquityCurve
  /** At least one. */
  readonly markets: readonly ReplayedMarket[]
  /** In order of exit. */
  readonly roundTrips: readonly RoundTrip[]
  readonly fills: readonly CostedFill[]
  /** Positions still open at the end. */
  readonly openPositions: readonly Position[]
  /** Net funding paid, in quote; negative if more was received. */
  readonly funding?: Amount | undefined
  /** Annual, a fraction; 0 if not given. */
  readonly riskFreeRate?: number
}

/** The metrics of a run. */
export function metricsOf(input: MetricsInput): Metrics {
  const { curve, roundTrips, riskFreeRate = 0 } = input
  const interval = longestInterval(input.markets)
  const series = dailySeriesOf(curve)
  const returns = dailyReturnsOf(series, interval)
  const benchmark = input.benchmark && benchmarkOf(input.benchmark, interval)
  const months = monthsOf(series, benchmark?.series)
  const drawdowns = drawdownsOf(curve)
  const columns = roundTripColumns(roundTrips, input.markets)
  const tallies = talliesOf(roundTrips, columns.returns)
  const totals = totalsOf(tallies)
  const ofReturns = returnMetrics(curve, returns, months)
  const risk = { series, returns, riskFreeRate, cagr: ofReturns.cagr, maxDrawdown: drawdowns.fraction }
  return {
    convention: conventionWith(
      riskFreeRate,
      new Set(input.markets.map(({ instrument }) => instrument.symbol)).size,
    ),
    figures: {
      ...ofReturns,
      ...benchmarkMetrics(returns, benchmark, riskFreeRate),
      ...riskMetrics(risk),
      ...drawdownMetrics(drawdowns),
      ...roundTripMetrics(totals, columns),
      ...tradingMetrics({ ...input, series, totals, columns, funding: input.funding }),
    },
    months,
    drawdowns: drawdowns.deepest,
    byExitReason: roundTripGroups(tallies, ({ exitReason }) => exitReason),
    byTag: roundTripGroups(tallies, ({ tag }) => tag),
    byDirection: roundTripGroups(tallies, ({ direction }) => direction),
    columns,
  }
}

/** The longest interval decides if a run has daily values. */
function longestInterval(markets: readonly ReplayedMarket[]): Interval {
  return markets.reduce<Interval>(
    (longest, { interval }) => (intervalMs(interval) > intervalMs(longest) ? interval : longest),
    '1m',
  )
}

function benchmarkOf(curve: EquityCurve, interval: Interval): Benchmark {
  const series = dailySeriesOf(curve)
  return { curve, series, returns: dailyReturnsOf(series, interval), drawdown: deepestFallOf(curve) }
}
