import { meanPerDeviation, momentsOf } from '../sample/moments.ts'
import { deviationProblem, type Returns, ruinProblem } from '../sample/sample-problem.ts'
import { defined, finite, type Statistic, undefinedBecause } from '../statistic.ts'

/** Parts of the sampling error of a Sharpe ratio. Everything is per period, never annualised. */
export interface SharpeEstimate {
  /** Mean ÷ sample standard deviation of the returns of one period; an annual ratio is divided by √(periods a year). */
  readonly sharpe: number
  /** Number of returns. */
  readonly count: number
  /** Third standardised moment of the population. */
  readonly skewness: number
  /** Fourth standardised moment of the population, not in excess: 3 for a normal distribution. */
  readonly kurtosis: number
}

/**
 * The Sharpe ratio of returns of one period, with what its error depends on; undefined for constant or missing returns, and where
 * everything was lost.
 */
export function sharpeEstimate(returns: Returns): Statistic<SharpeEstimate> {
  const problem = deviationProblem(returns) ?? ruinProblem(returns)
  if (problem !== undefined) return undefinedBecause(problem)
  const { mean, deviation, count, skewness, kurtosis } = momentsOf(returns)
  return defined({ sharpe: mean / deviation, count, skewness, kurtosis })
}

/** The ratio of `sharpeEstimate` alone, to the same bit, and `undefined` where that is undefined; faster, for very many returns. */
export function sharpeOf(returns: Float64Array): number | undefined {
  if ((deviationProblem(returns) ?? ruinProblem(returns)) !== undefined) return undefined
  return meanPerDeviation(returns, new Float64Array(returns.length))
}

/**
 * Standard error of a Sharpe ratio S over n periods with skewness g and kurtosis k: √(V ÷ (n - 1)) with
 * V = 1 - g·S + (k - 1)/4·S² (E. Mertens, "Comments on variance of the IID estimator in Lo (2002)", 2002, with the n - 1 of
 * D. H. Bailey and M. López de Prado, 2012). Returns are taken as independent. Undefined for one period, and where V
 * is not positive.
 */
export function sharpeStandardError(estimate: SharpeEstimate): Statistic {
  const { count } = estimate
  if (count < 2) return undefinedBecause(`A standard error needs at least 2 returns, and there are ${count}.`)
  const variance = varianceFactor(estimate)
  if (!(variance > 0)) return undefinedBecause(noVariance(estimate))
  return finite(Math.sqrt(variance / (count - 1)), noVariance(estimate))
}

/** V of `sharpeStandardError`: the variance of the ratio × (n - 1). */
export function varianceFactor({ sharpe, skewness, kurtosis }: SharpeEstimate): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2
}

function noVariance({ sharpe, skewness, kurtosis }: SharpeEstimate): string {
  return `A Sharpe ratio of ${sharpe} with skewness ${skewness} and kurtosis ${kurtosis} has no positive variance.`
}
