import { seededRandomAt } from '../../../domain/numbers/seeded-random.ts'
import { meanOf } from '../sample/moments.ts'
import { type Returns, returnsProblem } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'

/** A statistic against its distribution where nothing is to be found. */
export interface PermutationTest {
  readonly observed: number
  /** (1 + number of permuted statistics of at least the observed one) ÷ (1 + their number): never 0. */
  readonly p: number
}

/** Random signs: writes those of flip `number` (1 or -1) into `signs`. */
export interface SignFlips {
  readonly count: number
  readonly fill: (number: number, signs: Int8Array) => void
}

/** Signs that are + or - with the same probability; the same seed gives the same. */
export function randomSignFlips({
  count,
  seed,
}: {
  readonly count: number
  readonly seed: string
}): SignFlips {
  const streamAt = seededRandomAt(seed)
  const fill = (number: number, signs: Int8Array) => {
    const { uniform } = streamAt(number)
    for (let index = 0; index < signs.length; index++) signs[index] = uniform() < 0.5 ? -1 : 1
  }
  return { count, fill }
}

/**
 * Test of whether the mean of returns is above 0, by flipping signs at random: exact for returns that lie alike around 0 where there
 * is nothing to find (R. A. Fisher, "The Design of Experiments", 1935; the added 1: B. Phipson and G. K. Smyth, 2010). Undefined
 * for missing returns and without flips.
 */
export function signFlipTest(returns: Returns, flips: SignFlips): Statistic<PermutationTest> {
  const problem = returnsProblem(returns, 1)
  if (problem !== undefined) return undefinedBecause(problem)
  const values = Float64Array.from(returns)
  const signs = new Int8Array(values.length)
  const means = new Float64Array(flips.count)
  for (let number = 0; number < flips.count; number++) {
    flips.fill(number, signs)
    means[number] = flippedMean(values, signs)
  }
  return permutationTest(meanOf(values), means, meanOf(values.map(Math.abs)))
}

/** Rounding of sums in another order, as a part of what was summed; what is equal but for it counts as equal. */
const ROUNDING_OF_SUMS = 1e-12

/**
 * Test of whether a statistic is larger than those of permutations, shifted signals or other controls without an edge. `scale` is the size of
 * the numbers that the statistic was computed of. Undefined without controls, and where the statistic or one of the controls is
 * not a number.
 */
export function permutationTest(
  observed: number,
  controls: ArrayLike<number>,
  scale = Math.abs(observed),
): Statistic<PermutationTest> {
  const { length } = controls
  if (length === 0) return undefinedBecause('There are no permutations.')
  if (!Number.isFinite(observed)) return undefinedBecause(`The observed statistic is ${observed}.`)
  const reached = observed - scale * ROUNDING_OF_SUMS
  let count = 0
  for (let index = 0; index < length; index++) {
    const control = controls[index] as number
    if (Number.isNaN(control))
      return undefinedBecause(`Permutation ${index + 1} of ${length} has no statistic.`)
    if (control >= reached) count++
  }
  return defined({ observed, p: (1 + count) / (1 + length) })
}

function flippedMean(values: Float64Array, signs: Int8Array): number {
  let sum = 0
  for (let index = 0; index < values.length; index++)
    sum += (signs[index] as number) * (values[index] as number)
  return sum / values.length
}
