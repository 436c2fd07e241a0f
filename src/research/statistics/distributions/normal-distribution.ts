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

const ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI)
/** From here on the continued fraction of the tail is used. */
const TAIL = 5
/** At this depth its error is below that of doubles, from `TAIL` on. */
const DEPTH = 40

/**
 * Probability that a standard normal variable is at most `x`, to 15 decimals: the algorithm of J. F. Hart et al.,
 * "Computer Approximations" (1968), as given by G. West, "Better approximations to cumulative normal functions",
 * Wilmott Magazine, 2005. Its tail is the continued fraction of Laplace (M. Abramowitz and I. A. Stegun, "Handbook of
 * Mathematical Functions", 26.2.14), so that small probabilities are right to 12 digits at -5 and below.
 */
export function normalProbability(x: number): number {
  const beyond = upperTail(Math.abs(x))
  return x > 0 ? 1 - beyond : beyond
}

/** Probability of more than `x`, for `x` of at least 0. */
function upperTail(x: number): number {
  const density = Math.exp((-x * x) / 2)
  if (x < TAIL) return (density * polynomial(NUMERATOR, x)) / polynomial(DENOMINATOR, x)
  if (density === 0) return 0
  let fraction = x
  for (let level = DEPTH; level > 0; level--) fraction = x + level / fraction
  return density / fraction / ROOT_OF_TWO_PI
}

const CENTRE = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852546,
  ],
] as const
const MIDDLE = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const
const FAR = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const

/**
 * The number below which a standard normal variable lies with `probability`; -Infinity for 0, Infinity for 1, `NaN`
 * outside of them. Right to 15 digits: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal
 * Distribution", Applied Statistics, 1988.
 */
export function normalQuantile(probability: number): number {
  const distance = probability - 0.5
  if (Math.abs(distance) <= 0.425) return distance * ratio(CENTRE, 0.180625 - distance * distance)
  const nearer = distance < 0 ? probability : 1 - probability
  if (!(nearer >= 0)) return Number.NaN
  if (nearer === 0) return distance < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const depth = Math.sqrt(-Math.log(nearer))
  const size = depth <= 5 ? ratio(MIDDLE, depth - 1.6) : ratio(FAR, depth - 5)
  return distance < 0 ? -size : size
}

/** Numerator and denominator, each with the lowest power first. */
function ratio([upper, lower]: readonly [readonly number[], readonly number[]], x: number): number {
  return ascending(upper, x) / ascending(lower, x)
}

/** Horner's scheme, the lowest power first. */
function ascending(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let power = coefficients.length - 1; power >= 0; power--)
    sum = sum * x + (coefficients[power] as number)
  return sum
}

/** Horner's scheme, the highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let index = 0; index < coefficients.length; index++) sum = sum * x + (coefficients[index] as number)
  return sum
}
