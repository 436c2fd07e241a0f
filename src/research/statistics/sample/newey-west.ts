import { normalProbability } from '../distributions/normal-distribution.ts'
import { defined, derived, type Statistic, undefinedBecause } from '../statistic.ts'
import { laggedProduct } from './autocovariance.ts'
import { centred, meanOf } from './moments.ts'
import { deviationProblem, type Returns, ruinProblem } from './sample-problem.ts'

/** A mean, with an error that allows for autocorrelation and for changing volatility. */
export interface MeanTest {
  readonly mean: number
  readonly standardError: number
  /** Mean ÷ standard error. */
  readonly t: number
  /** Two-sided normal p-value of `t`. */
  readonly p: number
  /** Lags that were allowed for. */
  readonly lags: number
}

/** Settings of the estimate of a mean's error. */
export interface NeweyWestOptions {
  /** Lags that are allowed for; `automaticLags` without it. */
  readonly lags?: number
  /** Multiplies the error by √(n ÷ (n - 1)); not done without it. */
  readonly smallSample?: boolean
}

/** The usual number of lags of n returns: ⌊4·(n ÷ 100)^(2/9)⌋ (W. K. Newey and K. D. West, Review of Economic Studies, 1994). */
export function automaticLags(count: number): number {
  return Math.min(Math.max(0, count - 1), Math.floor(4 * (count / 100) ** (2 / 9)))
}

/**
 * Test of the mean of returns: standard error √(S ÷ n), S = g_0 + 2·Σ (1 - k ÷ (L + 1))·g_k over L lags, with autocovariances
 * g_k that divide by n (W. K. Newey and K. D. West, "A Simple, Positive Semi-Definite, Heteroskedasticity and Autocorrelation
 * Consistent Covariance Matrix", Econometrica, 1987). Undefined for constant or missing returns, for as many lags as returns, and
 * where S is not positive.
 */
export function neweyWest(returns: Returns, options: NeweyWestOptions = {}): Statistic<MeanTest> {
  const { length: count } = returns
  const { lags = automaticLags(count), smallSample = false } = options
  const problem = deviationProblem(returns) ?? lagsProblem(lags, count)
  if (problem !== undefined) return undefinedBecause(problem)
  const variance = longRunVariance(returns, lags)
  if (!(variance > 0)) return undefinedBecause(`With ${lags} lags the mean has no positive variance.`)
  const mean = meanOf(returns)
  const standardError = Math.sqrt(variance / (smallSample ? count - 1 : count))
  const t = mean / standardError
  return defined({ mean, standardError, t, p: 2 * normalProbability(-Math.abs(t)), lags })
}

/** t of the mean return of an account by `neweyWest`; undefined also where everything was lost. */
export function meanT(returns: Returns): Statistic {
  const problem = ruinProblem(returns)
  return problem === undefined
    ? derived(neweyWest(returns), ({ t }) => defined(t))
    : undefinedBecause(problem)
}

function longRunVariance(returns: Returns, lags: number): number {
  const distances = centred(returns)
  let sum = laggedProduct(distances, 0)
  for (let lag = 1; lag <= lags; lag++) sum += 2 * (1 - lag / (lags + 1)) * laggedProduct(distances, lag)
  return sum / returns.length
}

function lagsProblem(lags: number, count: number): string | undefined {
  if (!Number.isInteger(lags) || lags < 0) return `${lags} lags are not a whole number of at least 0.`
  return lags >= count ? `${lags} lags need more returns than the ${count} there are.` : undefined
}
