import { seededRandomAt } from '../../../domain/numbers/seeded-random.ts'
import { UsageError } from '../../../domain/sluice-error.ts'

/** Resamples of a sample: which of its values each of them takes, in order. */
export interface Resamples {
  /** Number of resamples. */
  readonly count: number
  /** Values of each, as many as the sample has. */
  readonly size: number
  /** Writes the indices of resample `number` (from 0) into `indices`, which has `size` places. */
  readonly fill: (number: number, indices: Int32Array) => void
}

/** Number and seed of resamples: the same seed draws the same, in whatever order they are asked for. */
export interface ResamplePlan {
  readonly size: number
  readonly count: number
  readonly seed: string
}

/** Draws with replacement. */
export function drawnResamples(options: ResamplePlan): Resamples {
  return seeded(options, uniform => indices => {
    for (let index = 0; index < indices.length; index++)
      indices[index] = Math.floor(uniform() * indices.length)
  })
}

/** Permutations, all equally likely: the shuffle of R. A. Fisher and F. Yates, 1938. */
export function shuffledResamples(options: ResamplePlan): Resamples {
  return seeded(options, uniform => indices => {
    for (let index = 0; index < indices.length; index++) {
      const other = Math.floor(uniform() * (index + 1))
      indices[index] = indices[other] as number
      indices[other] = index
    }
  })
}

/**
 * Stationary bootstrap: blocks that begin anywhere, go on past the end at the start, and have a geometric length with mean
 * `meanBlock` (D. N. Politis and J. P. Romano, "The Stationary Bootstrap", Journal of the American Statistical Association, 1994).
 */
export function stationaryResamples(options: ResamplePlan & { readonly meanBlock: number }): Resamples {
  const { size, meanBlock } = options
  if (!(meanBlock >= 1)) throw new UsageError(`A mean block of ${meanBlock} is not one of at least 1 value.`)
  return seeded(options, uniform => indices => {
    const start = () => Math.floor(uniform() * size)
    fillStationary(indices, meanBlock, { start, uniform })
  })
}

/** Draws that decide a stationary resample; both are told the place of the index that they are for. */
export interface StationaryDraws {
  /** Index at which a block begins. */
  readonly start: (place: number) => number
  /** Uniform number between 0 and 1. */
  readonly uniform: (place: number) => number
}

/**
 * One stationary resample: the first index is a start; each other one follows the one before it, from the last to 0, where its
 * uniform number is above 1 ÷ `meanBlock`, and is a start elsewhere.
 */
export function fillStationary(
  indices: Int32Array,
  meanBlock: number,
  { start, uniform }: StationaryDraws,
): void {
  let index = 0
  for (let place = 0; place < indices.length; place++) {
    const goesOn = place > 0 && uniform(place) > 1 / meanBlock
    index = goesOn ? (index + 1) % indices.length : start(place)
    indices[place] = index
  }
}

function seeded(
  { size, count, seed }: ResamplePlan,
  filler: (uniform: () => number) => (indices: Int32Array) => void,
): Resamples {
  const streamAt = seededRandomAt(seed)
  return { size, count, fill: (number, indices) => filler(streamAt(number).uniform)(indices) }
}
