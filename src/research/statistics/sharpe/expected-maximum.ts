import { normalProbability, normalQuantile } from '../distributions/normal-distribution.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'

/** The Euler–Mascheroni constant. */
const EULER = 0.5772156649015329

/**
 * Expected largest of `trials` independent standard normal variables, in standard deviations:
 * (1 - γ)·Φ⁻¹(1 - 1/N) + γ·Φ⁻¹(1 - 1/(N·e)) (D. H. Bailey and M. López de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio
 * Management, 2014). N may be an effective number, not whole. It is 1% to 3% too large for N below 50, and never below 0
 * here: the formula has no value at N = 1, where the expectation is 0. Undefined for N below 1.
 */
export function expectedMaximum(trials: number): Statistic {
  const problem = trialsProblem(trials)
  if (problem !== undefined) return undefinedBecause(problem)
  // Φ⁻¹(1 - p) is -Φ⁻¹(p), which keeps the digits of a small p.
  const approximation =
    -(1 - EULER) * normalQuantile(1 / trials) - EULER * normalQuantile(1 / (trials * Math.E))
  return defined(trials === 1 ? 0 : Math.max(0, approximation))
}

/** Half the width of the integral: beyond it the density of the largest of any number of trials is nothing. */
const WIDTH = 12
const STEP = 1 / 128

/**
 * The same without approximation, for whole numbers of trials: the integral of x·N·φ(x)·Φ(x)^(N - 1), by the trapezoidal
 * rule, which converges faster than any power of the step for a function that vanishes at both ends; right to 10 digits.
 * Undefined for a number of trials that is not whole: there is no largest of them.
 */
export function exactExpectedMaximum(trials: number): Statistic {
  const problem = trialsProblem(trials)
  if (problem !== undefined) return undefinedBecause(problem)
  if (!Number.isInteger(trials)) return undefinedBecause(`${trials} trials have no largest one.`)
  if (trials === 1) return defined(0)
  let sum = 0
  for (let x = -WIDTH; x <= WIDTH; x += STEP) sum += x * densityOfLargest(x, trials)
  return defined(sum * STEP)
}

function densityOfLargest(x: number, trials: number): number {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  // log Φ(x) = log(1 - Φ(-x)), with the digits of the small tail kept.
  const logBelow = x > 0 ? Math.log1p(-normalProbability(-x)) : Math.log(normalProbability(x))
  return trials * density * Math.exp((trials - 1) * logBelow)
}

function trialsProblem(trials: number): string | undefined {
  return trials >= 1 && Number.isFinite(trials)
    ? undefined
    : `There are ${trials} trials, and it needs at least 1.`
}

/** Length of a record below which the best of several trials without skill is expected to look good. */
export interface MinimumBacktestLength {
  /** In years: (expected maximum ÷ target)². */
  readonly minimumYears: number
  /** In years: the simpler bound above it, 2·ln N ÷ target². */
  readonly upperBound: number
}

/**
 * Years below which the best of `trials` without skill is expected to show an annual Sharpe ratio of `targetAnnualSharpe` in
 * sample (D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu, "Pseudo-Mathematics and Financial Charlatanism", Notices
 * of the AMS, 2014). Undefined for fewer than 1 trial, and for a target that is not positive.
 */
export function minimumBacktestLength(
  trials: number,
  targetAnnualSharpe: number,
): Statistic<MinimumBacktestLength> {
  const { value: maximum, reason } = expectedMaximum(trials)
  if (reason !== undefined) return undefinedBecause(reason)
  if (!(targetAnnualSharpe > 0)) return undefinedBecause(`The target ${targetAnnualSharpe} is not above 0.`)
  return defined({
    minimumYears: (maximum / targetAnnualSharpe) ** 2,
    upperBound: (2 * Math.log(trials)) / targetAnnualSharpe ** 2,
  })
}
