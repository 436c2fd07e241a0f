/** Half the logarithm of 2π. */
const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)
/** Stirling's series is used from here on. */
const LARGE = 12
const MOST_TERMS = 10_000
const TINY = 1e-300

/**
 * Probability that a variable of Student's distribution is at most `t`; `degrees` of freedom above 0, which need not
 * be whole. P(|T| > t) is the regularised incomplete beta function I(d ÷ (d + t²); d/2, 1/2) (M. Abramowitz and I. A. Stegun,
 * "Handbook of Mathematical Functions", 26.7.1), computed by its continued fraction (26.5.8); right to 11 digits.
 */
export function studentProbability(t: number, degrees: number): number {
  if (!(degrees > 0)) return Number.NaN
  const beyond = outside(t * t, degrees) / 2
  return t > 0 ? 1 - beyond : beyond
}

/** Probability of a square above `square`; the side on which the fraction converges is chosen. */
function outside(square: number, degrees: number): number {
  const x = degrees / (degrees + square)
  const rest = square / (degrees + square)
  const [a, b] = [degrees / 2, 0.5]
  return x < (a + 1) / (a + b + 2) ? betaTail(x, rest, a, b) : 1 - betaTail(rest, x, b, a)
}

/** I(x; a, b) for an x below (a + 1) ÷ (a + b + 2); `rest` is 1 - x, without its rounding. */
function betaTail(x: number, rest: number, a: number, b: number): number {
  if (x === 0) return 0
  const scale = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest) - Math.log(a),
  )
  return scale / betaFraction(x, a, b)
}

/** The continued fraction by the method of W. J. Lentz, "Generating Bessel functions in Mie scattering", 1976. */
function betaFraction(x: number, a: number, b: number): number {
  let [value, numerator, denominator] = [1, 1, 0]
  for (let term = 1; term < MOST_TERMS; term++) {
    const coefficient = betaCoefficient(term, x, a, b)
    denominator = 1 / notZero(1 + coefficient * denominator)
    numerator = notZero(1 + coefficient / numerator)
    const change = numerator * denominator
    value *= change
    if (Math.abs(change - 1) < Number.EPSILON) break
  }
  return value
}

function betaCoefficient(term: number, x: number, a: number, b: number): number {
  const half = Math.floor(term / 2)
  const edge = a + 2 * half
  return term % 2 === 0
    ? (half * (b - half) * x) / ((edge - 1) * edge)
    : (-(a + half) * (a + b + half) * x) / (edge * (edge + 1))
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}

/** Logarithm of the gamma function, for x above 0: Stirling's series (Abramowitz and Stegun, 6.1.41) of a number moved up. */
function logGamma(x: number): number {
  let [moved, product] = [x, 1]
  for (; moved < LARGE; moved++) product *= moved
  const inverse = 1 / (moved * moved)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680)))) / moved
  return (moved - 0.5) * Math.log(moved) - moved + HALF_LOG_TWO_PI + series - Math.log(product)
}
