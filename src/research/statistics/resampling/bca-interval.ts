import { normalProbability, normalQuantile } from '../distributions/normal-distribution.ts'
import { meanOf, meanPerDeviation } from '../sample/moments.ts'
import { quantileOf } from '../sample/quantile.ts'
import type { Returns } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import { type Bootstrap, type BootstrapInterval, checkedConfidence } from './bootstrap.ts'

/** A percentile interval corrected for bias and for an error that depends on the statistic. */
export interface BcaInterval {
  readonly interval: BootstrapInterval
  /** Φ⁻¹ of the share of resampled ratios below the observed one. */
  readonly bias: number
  /** Σ d³ ÷ (6·(Σ d²)^1.5) for d = mean ratio without one return - ratio without that return. */
  readonly acceleration: number
}

/** With fewer returns a ratio without one of them says nothing. */
const LEAST_RETURNS = 4

/**
 * BCa interval of a bootstrapped Sharpe ratio of these returns: B. Efron, "Better Bootstrap Confidence Intervals", Journal of the
 * American Statistical Association, 1987. Undefined for fewer than 4 returns, where every or no resampled ratio is below
 * the observed one, and where returns without one of them are all alike.
 */
export function bcaSharpeInterval(
  found: Bootstrap,
  returns: Returns,
  confidence: number,
): Statistic<BcaInterval> {
  const beyond = (1 - checkedConfidence(confidence)) / 2
  if (returns.length < LEAST_RETURNS) {
    return undefinedBecause(`It needs at least ${LEAST_RETURNS} returns, and there are ${returns.length}.`)
  }
  const bias = normalQuantile(shareBelow(found))
  if (!Number.isFinite(bias))
    return undefinedBecause('Every or no resampled ratio is below the observed one.')
  const acceleration = accelerationOf(Float64Array.from(returns))
  if (acceleration === undefined) return undefinedBecause('Without one of them, all returns are alike.')
  const end = (probability: number) => {
    const shifted = bias + normalQuantile(probability)
    return quantileOf(found.resampled, normalProbability(bias + shifted / (1 - acceleration * shifted)))
  }
  return defined({ interval: [end(beyond), end(1 - beyond)], bias, acceleration })
}

function shareBelow({ observed, resampled }: Bootstrap): number {
  return resampled.reduce((count, value) => count + (value < observed ? 1 : 0), 0) / resampled.length
}

/** The jack-knife; `undefined` where a ratio without one return is. */
function accelerationOf(returns: Float64Array): number | undefined {
  const ratios = new Float64Array(returns.length)
  const without = returns.slice(1)
  const scratch = new Float64Array(without.length)
  for (let left = 0; left < returns.length; left++) {
    if (left > 0) without[left - 1] = returns[left - 1] as number
    const ratio = meanPerDeviation(without, scratch)
    if (Number.isNaN(ratio)) return undefined
    ratios[left] = ratio
  }
  const mean = meanOf(ratios)
  const squares = ratios.reduce((sum, ratio) => sum + (mean - ratio) ** 2, 0)
  const cubes = ratios.reduce((sum, ratio) => sum + (mean - ratio) ** 3, 0)
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}
