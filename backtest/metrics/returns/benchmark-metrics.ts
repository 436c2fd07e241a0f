import { meanOf } from '../../../src/research/statistics/sample/moments.ts'
import { DAYS_PER_YEAR } from '../convention.ts'
import { type Metric, metric, notAvailable } from '../metric.ts'
import { type DailyReturns, dailyMetric } from './daily-returns.ts'
import type { DailySeries } from './daily-series.ts'
import { type EquityCurve, endOf } from './equity-curve.ts'

/** The run beside buy and hold. Returns are fractions. */
export interface BenchmarkMetrics {
  /** Last close ÷ first open - 1. */
  readonly buyAndHold: Metric
  /** Largest drawdown of buy and hold. */
  readonly buyAndHoldDrawdown: Metric
  /**
   * Jensen's alpha, annual: 365 × (mean excess return - beta × mean excess return of buy and hold) (M. C. Jensen, "The
   * Performance of Mutual Funds in the Period 1945-1964", Journal of Finance, 1968).
   */
  readonly alpha: Metric
  /** Slope of the daily returns over those of buy and hold: their covariance ÷ the variance of buy and hold. */
  readonly beta: Metric
  /** Pearson's correlation of the daily returns with those of buy and hold. */
  readonly correlation: Metric
}

/** Equity of buy and hold. */
export interface Benchmark {
  readonly curve: EquityCurve
  readonly series: DailySeries
  readonly returns: DailyReturns
  /** Its largest fall, as a fraction of the peak. */
  readonly drawdown: number
}

/** Compares daily returns to a benchmark of the same days. */
export function benchmarkMetrics(
  returns: DailyReturns,
  benchmark: Benchmark | undefined,
  riskFreeRate: number,
): BenchmarkMetrics {
  if (benchmark === undefined) return withoutBenchmark()
  const { beta, alpha, correlation } = regression(returns.values, benchmark.returns.values, riskFreeRate)
  const both = { values: returns.values, problem: returns.problem ?? benchmark.returns.problem }
  return {
    buyAndHold: metric(endOf(benchmark.curve).equity / benchmark.curve.startEquity - 1),
    buyAndHoldDrawdown: metric(benchmark.drawdown),
    alpha: dailyMetric(both, () => alpha),
    beta: dailyMetric(both, () => beta),
    correlation: dailyMetric(both, () => correlation),
  }
}

function withoutBenchmark(): BenchmarkMetrics {
  const none = notAvailable('the run has no benchmark')
  return { buyAndHold: none, buyAndHoldDrawdown: none, alpha: none, beta: none, correlation: none }
}

interface Regression {
  readonly alpha: number
  readonly beta: number
  readonly correlation: number
}

/** Least squares; a constant benchmark gives no finite result. */
function regression(values: Float64Array, benchmark: Float64Array, riskFreeRate: number): Regression {
  const [mean, benchmarkMean] = [meanOf(values), meanOf(benchmark)]
  let [covariance, variance, benchmarkVariance] = [0, 0, 0]
  for (let day = 0; day < values.length; day++) {
    const distance = (values[day] as number) - mean // inside the bounds
    const benchmarkDistance = (benchmark[day] ?? Number.NaN) - benchmarkMean
    covariance += distance * benchmarkDistance
    variance += distance * distance
    benchmarkVariance += benchmarkDistance * benchmarkDistance
  }
  const beta = covariance / benchmarkVariance
  const daily = riskFreeRate / DAYS_PER_YEAR
  return {
    beta,
    alpha: DAYS_PER_YEAR * (mean - daily - beta * (benchmarkMean - daily)),
    correlation: covariance / Math.sqrt(variance * benchmarkVariance),
  }
}
