import { extentOf, meanOf, momentsOf } from '../../../src/research/statistics/sample/moments.ts'
import { quantileOf } from '../../../src/research/statistics/sample/quantile.ts'
import { MINIMUM } from '../convention.ts'
import { type Metric, metric, metricOfAtLeast, notAvailable } from '../metric.ts'
import type { RoundTripColumns } from './round-trip-columns.ts'
import type { RoundTripTotals } from './round-trip-totals.ts'
import { streaksOf } from './streaks.ts'

/** Results of closed positions. Money in quote, after fees. A win has a profit above 0, a loss one below. */
export interface RoundTripMetrics {
  readonly roundTrips: Metric
  /** Wins ÷ all. */
  readonly winRate: Metric
  readonly averageWin: Metric
  /** Below 0. */
  readonly averageLoss: Metric
  /** Average win ÷ size of the average loss. */
  readonly payoff: Metric
  /** Sum of the wins ÷ size of the sum of the losses. */
  readonly profitFactor: Metric
  /** Mean profit of a round trip. */
  readonly expectancy: Metric
  /** Mean profit ÷ notional of the entry: a fraction. */
  readonly averageReturn: Metric
  readonly bestPnl: Metric
  readonly worstPnl: Metric
  /** System quality number: √count × mean profit ÷ sample standard deviation of the profits (V. K. Tharp, 1998). */
  readonly sqn: Metric
  /**
   * Kelly fraction: win rate - (1 - win rate) ÷ payoff (J. L. Kelly, "A New Interpretation of Information Rate", Bell System
   * Technical Journal, 1956, for bets that win and lose their averages).
   */
  readonly kelly: Metric
  /** Most wins in a row, in order of exit. */
  readonly longestWinStreak: Metric
  readonly longestLossStreak: Metric
  readonly averageDurationMs: Metric
  readonly medianDurationMs: Metric
  readonly longestDurationMs: Metric
  /** Mean of the maximum adverse excursions: a fraction of the entry price; see `excursionMeter`. */
  readonly averageMae: Metric
  readonly worstMae: Metric
  /** Mean of the maximum favorable excursions. */
  readonly averageMfe: Metric
}

/** Metrics of round trips from their exact sums and their columns. */
export function roundTripMetrics(totals: RoundTripTotals, columns: RoundTripColumns): RoundTripMetrics {
  return { roundTrips: metric(totals.count), ...profitMetrics(totals, columns), ...columnMetrics(columns) }
}

type ProfitMetrics = Pick<
  RoundTripMetrics,
  'winRate' | 'averageWin' | 'averageLoss' | 'payoff' | 'profitFactor' | 'expectancy' | 'sqn' | 'kelly'
>

function profitMetrics(
  { count, wins, losses, profit, loss }: RoundTripTotals,
  { pnl }: RoundTripColumns,
): ProfitMetrics {
  const winRate = wins / count
  const payoff = -(profit / wins) / (loss / losses)
  const both = (figure: () => number, minimum = 1) =>
    wins === 0 || losses === 0
      ? notAvailable(`needs wins and losses, has ${wins} and ${losses}`)
      : metricOfAtLeast(minimum, 'round trips', count, figure)
  return {
    winRate: winRateOf({ count, wins }),
    averageWin: wins === 0 ? notAvailable('no round trip won') : metric(profit / wins),
    averageLoss: losses === 0 ? notAvailable('no round trip lost') : metric(loss / losses),
    payoff: both(() => payoff),
    profitFactor: profitFactorOf({ losses, profit, loss }),
    expectancy: closed(count, () => (profit + loss) / count),
    sqn: metricOfAtLeast(MINIMUM.roundTrips, 'round trips', count, () => qualityOf(pnl)),
    kelly: both(() => winRate - (1 - winRate) / payoff, MINIMUM.roundTrips),
  }
}

/** Wins ÷ all round trips. */
export function winRateOf({ count, wins }: Pick<RoundTripTotals, 'count' | 'wins'>): Metric {
  return closed(count, () => wins / count)
}

/** Sum of the wins ÷ size of the sum of the losses. */
export function profitFactorOf({
  losses,
  profit,
  loss,
}: Pick<RoundTripTotals, 'losses' | 'profit' | 'loss'>): Metric {
  return losses === 0 ? notAvailable('no round trip lost') : metric(profit / -loss)
}

type ColumnMetrics = Omit<RoundTripMetrics, keyof ProfitMetrics | 'roundTrips'>

function columnMetrics({ pnl, returns, durationMs, adverse, favorable }: RoundTripColumns): ColumnMetrics {
  const some = (figure: () => number) => closed(pnl.length, figure)
  const [streaks, profit, duration, mae] = [
    streaksOf(pnl),
    extentOf(pnl),
    extentOf(durationMs),
    extentOf(adverse),
  ]
  return {
    averageReturn: some(() => meanOf(returns)),
    bestPnl: some(() => profit.largest),
    worstPnl: some(() => profit.smallest),
    longestWinStreak: metric(streaks.wins),
    longestLossStreak: metric(streaks.losses),
    averageDurationMs: some(() => duration.mean),
    medianDurationMs: some(() => quantileOf(durationMs.toSorted(), 0.5)),
    longestDurationMs: some(() => duration.largest),
    averageMae: some(() => mae.mean),
    worstMae: some(() => mae.largest),
    averageMfe: some(() => meanOf(favorable)),
  }
}

function closed(count: number, figure: () => number): Metric {
  return count === 0 ? notAvailable('no position was closed') : metric(figure())
}

function qualityOf(pnl: Float64Array): number {
  const { count, mean, deviation } = momentsOf(pnl)
  return (Math.sqrt(count) * mean) / deviation
}
