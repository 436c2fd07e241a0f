import { laggedProduct } from '../sample/autocovariance.ts'
import { centred } from '../sample/moments.ts'
import { deviationProblem, type Returns } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'

/** Mean lengths of blocks, in periods, not rounded; below 1 means independent. */
export interface BlockLength {
  /** For the stationary bootstrap. */
  readonly stationary: number
  /** For blocks of one length that go on past the end at the start. */
  readonly circular: number
}

/** Lags that must be insignificant in a row, at least. */
const LEAST_RUN = 5
/** With fewer returns there are not as many lags as the search wants. */
const LEAST_RETURNS = 10

/**
 * The block length with the least mean squared error of the variance of a mean: D. N. Politis and H. White, "Automatic
 * Block-Length Selection for the Dependent Bootstrap", Econometric Reviews, 2004, corrected by A. Patton, D. N. Politis and
 * H. White, 2009. (2·G² ÷ D · n)^(1/3) with G = Σ λ(k/M)·|k|·g_k, D = 2·S² (stationary) or 4/3·S² (circular), S = Σ λ(k/M)·g_k
 * over lags -M to M, and the flat-top window λ; at most ⌈min(3√n, n/3)⌉. Undefined for constant or missing returns, fewer than 10
 * of them, and where S is 0.
 */
export function optimalBlockLength(returns: Returns): Statistic<BlockLength> {
  const problem = deviationProblem(returns, LEAST_RETURNS)
  if (problem !== undefined) return undefinedBecause(problem)
  const { length: count } = returns
  const distances = centred(returns)
  const { slope, spectrum } = flatTopSums(distances, bandwidthOf(distances))
  if (spectrum === 0) return undefinedBecause('The returns have no variance in the long run.')
  const longest = Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))
  const lengthFor = (factor: number) =>
    Math.min(longest, Math.cbrt(((2 * slope ** 2) / (factor * spectrum ** 2)) * count))
  return defined({ stationary: lengthFor(2), circular: lengthFor(4 / 3) })
}

/** M: twice the lag from which on autocorrelations stay insignificant for a run of lags; all lags without such a run. */
function bandwidthOf(distances: Float64Array): number {
  const { length: count } = distances
  const run = Math.max(LEAST_RUN, Math.ceil(Math.log10(count)))
  const most = Math.min(count - 1, Math.ceil(Math.sqrt(count)) + run)
  const threshold = 2 * Math.sqrt(Math.log10(count) / count)
  let insignificant = 0
  for (let lag = 0; lag < most; lag++) {
    insignificant = correlationAt(distances, lag) < threshold ? insignificant + 1 : 0
    if (insignificant === run) return Math.min(most, 2 * Math.max(1, lag + 1 - run))
  }
  return most
}

/** Size of the correlation of values that lie `lag` apart, each end with the squares of its own values. */
function correlationAt(distances: Float64Array, lag: number): number {
  const squares = (values: Float64Array) => laggedProduct(values, 0)
  const ends = squares(distances.subarray(lag + 1)) * squares(distances.subarray(0, -(lag + 1)))
  return Math.abs(laggedProduct(distances, lag)) / Math.sqrt(ends)
}

/** G and S over lags up to M. */
function flatTopSums(distances: Float64Array, bandwidth: number): { slope: number; spectrum: number } {
  const { length: count } = distances
  let [slope, spectrum] = [0, laggedProduct(distances, 0) / count]
  for (let lag = 1; lag <= bandwidth; lag++) {
    const covariance = laggedProduct(distances, lag) / count
    const weight = Math.min(1, 2 * (1 - lag / bandwidth))
    slope += 2 * weight * lag * covariance
    spectrum += 2 * weight * covariance
  }
  return { slope, spectrum }
}
