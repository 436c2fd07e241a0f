import { centred } from './moments.ts'
import type { Returns } from './sample-problem.ts'

/** Sum of the products of values that lie `lag` apart. */
export function laggedProduct(values: Float64Array, lag: number): number {
  let sum = 0
  for (let index = lag; index < values.length; index++) {
    sum += (values[index] as number) * (values[index - lag] as number) // both inside the bounds
  }
  return sum
}

/** Autocorrelations of lag 1 to `lags`, about the mean of the whole sample; the first at index 0. */
export function autocorrelationsOf(values: Returns, lags: number): Float64Array {
  const distances = centred(values)
  const variance = laggedProduct(distances, 0)
  return Float64Array.from({ length: lags }, (_, index) => laggedProduct(distances, index + 1) / variance)
}
