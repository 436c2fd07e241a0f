import { autocorrelationsOf } from '../sample/autocovariance.ts'
import { momentsOf } from '../sample/moments.ts'
import { deviationProblem, type Returns } from '../sample/sample-problem.ts'
import { defined, derived, type Statistic, undefinedBecause } from '../statistic.ts'

/** A Sharpe ratio brought to a longer period, with and without the autocorrelation of the returns. */
export interface AnnualisedSharpe {
  /** Ratio per period of the returns. */
  readonly sharpe: number
  /** Lo's: η × sharpe; undefined where η is. */
  readonly annualised: Statistic
  /** √periods × sharpe, which is right only without autocorrelation. */
  readonly naive: number
  readonly factor: AnnualisingFactor
  /** Standard error of `sharpe` if returns are independent and normal: √((1 + S²/2) ÷ n). */
  readonly standardError: number
  /** Autocorrelations of the returns, of lag 1, 2, …. */
  readonly autocorrelations: Float64Array
}

/** Factor of a ratio of one period. */
export interface AnnualisingFactor {
  /** q + 2·Σ (q - k)·ρ_k for k from 1 to q - 1: the variance of the sum of q returns ÷ that of one. */
  readonly denominator: number
  /** η = q ÷ √denominator; undefined where that is not positive, as may be with q near the number of returns. */
  readonly eta: Statistic
}

/**
 * Sharpe ratio of `periods` (q) returns together, from returns of one: A. W. Lo, "The Statistics of Sharpe Ratios",
 * Financial Analysts Journal, 2002. ρ_k = Σ (x_t - m)(x_{t-k} - m) ÷ Σ (x_t - m)². Undefined for constant or missing returns,
 * and for fewer returns than periods.
 */
export function annualisedSharpe(returns: Returns, periods: number): Statistic<AnnualisedSharpe> {
  const problem = deviationProblem(returns) ?? periodsProblem(periods, returns.length)
  if (problem !== undefined) return undefinedBecause(problem)
  const { mean, deviation, count } = momentsOf(returns)
  const sharpe = mean / deviation
  const autocorrelations = autocorrelationsOf(returns, periods - 1)
  const factor = annualisingFactor(autocorrelations, periods)
  return defined({
    sharpe,
    annualised: derived(factor.eta, eta => defined(eta * sharpe)),
    naive: Math.sqrt(periods) * sharpe,
    factor,
    standardError: Math.sqrt((1 + sharpe ** 2 / 2) / count),
    autocorrelations,
  })
}

/** η for autocorrelations of lag 1 to `periods` - 1 (the first at index 0). */
export function annualisingFactor(autocorrelations: ArrayLike<number>, periods: number): AnnualisingFactor {
  let denominator = periods
  for (let lag = 1; lag < periods; lag++) {
    denominator += 2 * (periods - lag) * (autocorrelations[lag - 1] ?? 0)
  }
  const eta: Statistic =
    denominator > 0
      ? defined(periods / Math.sqrt(denominator))
      : undefinedBecause(`The autocorrelations give ${periods} returns together no positive variance.`)
  return { denominator, eta }
}

function periodsProblem(periods: number, count: number): string | undefined {
  if (!Number.isInteger(periods) || periods < 1)
    return `${periods} periods are not a whole number of at least 1.`
  return periods > count ? `${periods} periods need as many returns, and there are ${count}.` : undefined
}
