import {
  normalProbability,
  QUANTILE_975,
} from '../../../src/research/statistics/distributions/normal-distribution.ts'
import type { Moments } from '../../../src/research/statistics/sample/moments.ts'
import { sharpeStandardError } from '../../../src/research/statistics/sharpe/sharpe-estimate.ts'
import { DAYS_PER_YEAR } from '../convention.ts'
import { type Metric, notAvailable } from '../metric.ts'
import { type DailyReturns, dailyMetric } from './daily-returns.ts'

/** The Sharpe ratio, and how far to trust it. */
export interface SharpeMetrics {
  /**
   * Annual Sharpe ratio: mean of the daily returns above the risk-free rate ÷ their sample standard deviation × √365
   * (W. F. Sharpe, "The Sharpe Ratio", Journal of Portfolio Management, 1994).
   */
  readonly sharpe: Metric
  /**
   * Lower end of the 95% confidence interval, sharpe - 1.96 × its standard error. The error of a daily ratio S over n
   * days with skewness g and kurtosis k is √((1 - g·S + (k - 1)/4·S²) ÷ (n - 1)): E. Mertens, "Comments on variance of the
   * IID estimator in Lo (2002)", 2002, with the n - 1 of Bailey and López de Prado. Returns are taken as independent.
   */
  readonly sharpeLow: Metric
  /** Upper end of the same interval. */
  readonly sharpeHigh: Metric
  /**
   * Probability that the true Sharpe ratio is above 0: Φ(S ÷ its standard error) (D. H. Bailey and M. López de Prado,
   * "The Sharpe Ratio Efficient Frontier", Journal of Risk, 2012).
   */
  readonly probabilisticSharpe: Metric
}

/** Sharpe ratio, interval and probability of daily returns; `moments` are theirs and `riskFreeRate` is annual. */
export function sharpeMetrics(returns: DailyReturns, moments: Moments, riskFreeRate: number): SharpeMetrics {
  const daily = (moments.mean - riskFreeRate / DAYS_PER_YEAR) / moments.deviation
  const error = sharpeStandardError({ ...moments, sharpe: daily }).value ?? Number.NaN
  const annual = Math.sqrt(DAYS_PER_YEAR)
  const given = (figure: () => number) => {
    if (moments.deviation === 0) return notAvailable('the daily returns do not vary')
    return dailyMetric(returns, figure)
  }
  return {
    sharpe: given(() => daily * annual),
    sharpeLow: given(() => (daily - QUANTILE_975 * error) * annual),
    sharpeHigh: given(() => (daily + QUANTILE_975 * error) * annual),
    probabilisticSharpe: given(() => normalProbability(daily / error)),
  }
}
