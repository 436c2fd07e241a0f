import { meanOf, momentsOf } from '../../../src/research/statistics/sample/moments.ts'
import { quantileOf } from '../../../src/research/statistics/sample/quantile.ts'
import { DAYS_PER_YEAR, MINIMUM } from '../convention.ts'
import { type Metric, notAvailable, numberOf } from '../metric.ts'
import { type DailyReturns, dailyMetric } from './daily-returns.ts'
import type { DailySeries } from './daily-series.ts'
import { type SharpeMetrics, sharpeMetrics } from './sharpe-ratio.ts'

/** Return against risk, and the shape of daily returns. */
export interface RiskMetrics extends SharpeMetrics {
  /** Sample standard deviation of the daily returns × √365: a fraction a year. */
  readonly volatility: Metric
  /**
   * Annual Sortino ratio: mean daily return above the risk-free rate ÷ downside deviation × √365. The downside deviation is
   * the root of the mean of min(excess return, 0)² over all days (F. A. Sortino and L. N. Price, "Performance Measurement
   * in a Downside Risk Framework", Journal of Investing, 1994).
   */
  readonly sortino: Metric
  /** CAGR ÷ largest drawdown, of the whole run (T. W. Young, "Calmar Ratio: A Smoother Tool", Futures, 1991). */
  readonly calmar: Metric
  /**
   * Sum of the daily returns above the risk-free rate ÷ sum of those below (C. Keating and W. F. Shadwick, "A Universal
   * Performance Measure", Journal of Performance Measurement, 2002).
   */
  readonly omega: Metric
  /** Root of the mean squared drawdown of daily equity: a fraction (P. G. Martin and B. B. McCann, 1989). */
  readonly ulcerIndex: Metric
  /** Size of the 95% quantile of the daily returns ÷ size of their 5% quantile. */
  readonly tailRatio: Metric
  /** Third standardised moment of the daily returns (ddof 0): negative where losses are the larger outliers. */
  readonly skewness: Metric
  /** Fourth standardised moment of the daily returns (ddof 0) less the 3 of a normal distribution. */
  readonly excessKurtosis: Metric
  /** Historical value at risk: the 5% quantile of the daily returns. */
  readonly valueAtRisk: Metric
  /** Mean of the daily returns at or below the value at risk (R. T. Rockafellar and S. Uryasev, Journal of Risk, 2000). */
  readonly conditionalValueAtRisk: Metric
}

export interface RiskInput {
  readonly series: DailySeries
  readonly returns: DailyReturns
  /** Annual, a fraction. */
  readonly riskFreeRate: number
  readonly cagr: Metric
  /** A fraction of the peak. */
  readonly maxDrawdown: number
}

/** Risk metrics of a run. */
export function riskMetrics(input: RiskInput): RiskMetrics {
  const { series, returns, riskFreeRate } = input
  const { values } = returns
  const moments = momentsOf(values)
  const daily = (figure: () => number) => dailyMetric(returns, figure)
  const varying = (figure: () => number) =>
    moments.deviation === 0 ? notAvailable('the daily returns do not vary') : daily(figure)
  return {
    volatility: daily(() => moments.deviation * Math.sqrt(DAYS_PER_YEAR)),
    ...sharpeMetrics(returns, moments, riskFreeRate),
    ...againstRiskFree(returns, riskFreeRate / DAYS_PER_YEAR),
    calmar: calmarOf(input),
    ulcerIndex: daily(() => ulcerIndexOf(series)),
    skewness: varying(() => moments.skewness),
    excessKurtosis: varying(() => moments.kurtosis - 3),
    ...tailMetrics(returns),
  }
}

function againstRiskFree(returns: DailyReturns, rate: number): Pick<RiskMetrics, 'sortino' | 'omega'> {
  let [gains, losses, squares] = [0, 0, 0]
  for (let day = 0; day < returns.values.length; day++) {
    const excess = (returns.values[day] as number) - rate // inside the bounds
    if (excess > 0) gains += excess
    else {
      losses -= excess
      squares += excess * excess
    }
  }
  if (losses === 0) {
    const none = notAvailable(returns.problem ?? 'no day lost')
    return { sortino: none, omega: none }
  }
  const count = returns.values.length
  return {
    sortino: dailyMetric(returns, () => ratioOf(gains - losses, count, squares)),
    omega: dailyMetric(returns, () => gains / losses),
  }
}

function ratioOf(sum: number, count: number, squares: number): number {
  return (sum / count / Math.sqrt(squares / count)) * Math.sqrt(DAYS_PER_YEAR)
}

function calmarOf({ cagr, maxDrawdown }: RiskInput): Metric {
  const rate = numberOf(cagr)
  if (rate === null) return cagr
  return maxDrawdown === 0 ? notAvailable('equity never fell') : { value: rate / maxDrawdown }
}

function ulcerIndexOf({ start, values }: DailySeries): number {
  let [peak, squares] = [start, 0]
  for (const value of values) {
    peak = Math.max(peak, value)
    squares += (value / peak - 1) ** 2
  }
  return Math.sqrt(squares / values.length)
}

function tailMetrics(
  returns: DailyReturns,
): Pick<RiskMetrics, 'tailRatio' | 'valueAtRisk' | 'conditionalValueAtRisk'> {
  const ascending = returns.values.toSorted()
  const worst = quantileOf(ascending, 0.05)
  const tail = (figure: () => number) => dailyMetric(returns, figure, MINIMUM.dailyReturnsForTails)
  return {
    tailRatio:
      worst === 0
        ? notAvailable(returns.problem ?? 'no day lost')
        : tail(() => Math.abs(quantileOf(ascending, 0.95) / worst)),
    valueAtRisk: tail(() => worst),
    conditionalValueAtRisk: tail(() => meanOf(ascending.filter(value => value <= worst))),
  }
}
