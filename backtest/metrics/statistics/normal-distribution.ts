/** The 97.5% quantile of the standard normal distribution: half the width of a two-sided interval of 95%. */
export const QUANTILE_975 = 1.959963984540054

const NUMERATOR = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
]
const DENOMINATOR = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
]
const ROOT_OF_TWO_PI = 2.506628274631

/**
 * Probability that a standard normal variable is at most `x`, to 15 decimals: the algorithm of J. F. Hart et al.,
 * "Computer Approximations" (1968), as given by G. West, "Better approximations to cumulative normal functions",
 * Wilmott Magazine, 2005.
 */
export function normalProbability(x: number): number {
  const beyond = upperTail(Math.abs(x))
  return x > 0 ? 1 - beyond : beyond
}

/** Probability of more than `x`, for `x` of at least 0. */
function upperTail(x: number): number {
  if (x > 37) return 0
  const density = Math.exp((-x * x) / 2)
  if (x < 5 * Math.SQRT2) return (density * polynomial(NUMERATOR, x)) / polynomial(DENOMINATOR, x)
  const fraction = x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))
  return density / fraction / ROOT_OF_TWO_PI
}

/** Horner's scheme, the highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0)
}
