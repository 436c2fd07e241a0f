import { seededRandom } from '../../domain/numbers/seeded-random.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Sampler } from './sampler.ts'
import { centredPoint, levelCount, type SearchSpace, type UnitPoint } from './search-space.ts'

/**
 * Dimensions 2 to 40 of the table new-joe-kuo-6.21201: coefficients of a primitive polynomial as a binary number, then its
 * first direction numbers m_1, m_2, …, as many as its degree (S. Joe and F. Y. Kuo, "Constructing Sobol Sequences with Better
 * Two-Dimensional Projections", SIAM Journal on Scientific Computing, 2008).
 */
const DIRECTIONS: readonly (readonly [coefficients: number, ...initial: number[]])[] = [
  [0, 1],
  [1, 1, 3],
  [1, 1, 3, 1],
  [2, 1, 1, 1],
  [1, 1, 1, 3, 3],
  [4, 1, 3, 5, 13],
  [2, 1, 1, 5, 5, 17],
  [4, 1, 1, 5, 5, 5],
  [7, 1, 1, 7, 11, 19],
  [11, 1, 1, 5, 1, 1],
  [13, 1, 1, 1, 3, 11],
  [14, 1, 3, 5, 5, 31],
  [1, 1, 3, 3, 9, 7, 49],
  [13, 1, 1, 1, 15, 21, 21],
  [16, 1, 3, 1, 13, 27, 49],
  [19, 1, 1, 1, 15, 7, 5],
  [22, 1, 3, 1, 15, 13, 25],
  [25, 1, 1, 5, 5, 19, 61],
  [1, 1, 3, 7, 11, 23, 15, 103],
  [4, 1, 3, 7, 13, 13, 15, 69],
  [7, 1, 1, 3, 13, 7, 35, 63],
  [8, 1, 3, 5, 9, 1, 25, 53],
  [14, 1, 3, 1, 13, 9, 35, 107],
  [19, 1, 3, 1, 5, 27, 61, 31],
  [21, 1, 1, 5, 11, 19, 41, 61],
  [28, 1, 3, 5, 3, 3, 13, 69],
  [31, 1, 1, 7, 13, 1, 19, 1],
  [32, 1, 3, 7, 5, 13, 19, 59],
  [37, 1, 1, 3, 9, 25, 29, 41],
  [41, 1, 3, 5, 13, 23, 1, 55],
  [42, 1, 3, 7, 3, 13, 59, 17],
  [50, 1, 3, 1, 3, 5, 53, 69],
  [55, 1, 1, 5, 5, 23, 33, 13],
  [56, 1, 1, 7, 7, 1, 61, 123],
  [59, 1, 1, 7, 9, 13, 61, 49],
  [62, 1, 3, 3, 5, 3, 55, 33],
  [14, 1, 3, 1, 15, 31, 13, 49, 245],
  [21, 1, 3, 5, 15, 31, 59, 63, 97],
  [22, 1, 3, 1, 11, 11, 11, 77, 249],
]

/** Most parameters of a search by Sobol points. */
export const MOST_SOBOL_DIMENSIONS = DIRECTIONS.length + 1
/** Digits after the binary point: so many points are all different. */
const BITS = 32

/**
 * The Sobol sequence (I. M. Sobol, 1967), unscrambled, in the order of I. A. Antonov and V. M. Saleev, "An Economic Method of Computing
 * LP-tau Sequences", 1979: point `index` (from 0, which is the corner of zeros) combines the direction numbers at the digits
 * of its Gray code. Throws `UsageError` for more than 40 dimensions.
 */
export function sobolSequence(dimensions: number): (index: number) => Uint32Array {
  if (dimensions > MOST_SOBOL_DIMENSIONS) {
    throw new UsageError(`Sobol points have at most ${MOST_SOBOL_DIMENSIONS} dimensions, not ${dimensions}.`)
  }
  const directions = Array.from({ length: dimensions }, (_, dimension) => directionNumbers(dimension))
  return index => {
    const gray = (index ^ (index >>> 1)) >>> 0
    return Uint32Array.from(directions, numbers => combined(numbers, gray))
  }
}

function combined(numbers: Uint32Array, gray: number): number {
  let digits = 0
  for (let bit = 0; bit < BITS; bit++) {
    if ((gray >>> bit) & 1) digits ^= numbers[bit] as number // inside the bounds
  }
  return digits >>> 0
}

/** v_k = m_k·2^-k as digits after the binary point; those after the first ones by the recurrence of the polynomial. */
function directionNumbers(dimension: number): Uint32Array {
  const [coefficients, ...initial] = DIRECTIONS[dimension - 1] ?? [0]
  const numbers = new Uint32Array(BITS)
  const degree = initial.length
  for (let bit = 0; bit < BITS; bit++) {
    if (degree === 0) numbers[bit] = 1 << (BITS - 1 - bit)
    else if (bit < degree) numbers[bit] = (initial[bit] as number) << (BITS - 1 - bit)
    else numbers[bit] = nextDirection(numbers, bit, degree, coefficients)
  }
  return numbers
}

function nextDirection(numbers: Uint32Array, bit: number, degree: number, coefficients: number): number {
  const oldest = numbers[bit - degree] as number
  let next = oldest ^ (oldest >>> degree)
  for (let back = 1; back < degree; back++) {
    if ((coefficients >>> (degree - 1 - back)) & 1) next ^= numbers[bit - back] as number
  }
  return next >>> 0
}

/**
 * Points of the Sobol sequence, which lie more evenly than random ones, shifted digit by digit by the seed: that keeps them as
 * even, makes other seeds give other points, and moves the first one out of its corner. A space of few points gives some of
 * them twice.
 */
export function sobolSampler(space: SearchSpace, seed: string): Sampler {
  const levels = space.map(levelCount)
  const sequence = sobolSequence(space.length)
  const { uniform } = seededRandom(seed)
  const shifts = Array.from(space, () => Math.floor(uniform() * 2 ** BITS))
  return number => centredPoint(levels, unitOf(sequence(number), shifts))
}

function unitOf(digits: Uint32Array, shifts: readonly number[]): UnitPoint {
  return Float64Array.from(digits, (value, index) => ((value ^ (shifts[index] as number)) >>> 0) / 2 ** BITS)
}
