import { sumOf } from './sum.ts'

/** Shape of a sample. */
export interface Moments {
  readonly count: number
  readonly mean: number
  /** Sample standard deviation, ddof 1; 0 where all that varies is rounding. */
  readonly deviation: number
  /** Third standardised moment m₃ ÷ m₂^1.5, of the population (ddof 0). */
  readonly skewness: number
  /** Fourth standardised moment m₄ ÷ m₂², of the population (ddof 0); 3 for a normal distribution. */
  readonly kurtosis: number
}

/** Rounding leaves some 10^-16 of the mean in the deviation of equal values. */
export const ROUNDING = 1e-12

/** Arithmetic mean; `NaN` for no values. */
export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length
}

/** Distances of values from their mean. */
export function centred(values: ArrayLike<number>, mean = meanOf(values)): Float64Array {
  return Float64Array.from(values, value => value - mean)
}

/** Mean and range of values. */
export interface Extent {
  readonly mean: number
  readonly smallest: number
  readonly largest: number
}

/** Mean and extremes of values, in one pass; none of them is finite for no values. */
export function extentOf(values: ArrayLike<number>): Extent {
  let [sum, smallest, largest] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number // inside the bounds
    sum += value
    if (value < smallest) smallest = value
    if (value > largest) largest = value
  }
  return { mean: sum / values.length, smallest, largest }
}

/** The moments of a sample, about its mean in a second pass (a one-pass sum of squares would lose the digits of small returns). */
export function momentsOf(values: ArrayLike<number>): Moments {
  const { length: count } = values
  const mean = meanOf(values)
  const distances = centred(values, mean)
  const squares = distances.map(distance => distance * distance)
  const second = sumOf(squares)
  const third = sumOf(distances.map((distance, index) => distance * (squares[index] as number)))
  const fourth = sumOf(squares.map(square => square * square))
  const deviation = Math.sqrt(second / (count - 1))
  const variance = second / count
  return {
    count,
    mean,
    deviation: deviation <= Math.abs(mean) * ROUNDING ? 0 : deviation,
    skewness: third / count / variance ** 1.5,
    kurtosis: fourth / count / variance ** 2,
  }
}

/**
 * Mean ÷ sample deviation of values, as of their moments but faster; `NaN` where all that varies is rounding. `scratch` has
 * as many places as there are values.
 */
export function meanPerDeviation(values: Float64Array, scratch: Float64Array): number {
  const { length: count } = values
  const mean = meanOf(values)
  for (let index = 0; index < count; index++) {
    const distance = (values[index] as number) - mean // inside the bounds
    scratch[index] = distance * distance
  }
  const deviation = Math.sqrt(sumOf(scratch) / (count - 1))
  return deviation <= Math.abs(mean) * ROUNDING ? Number.NaN : mean / deviation
}
