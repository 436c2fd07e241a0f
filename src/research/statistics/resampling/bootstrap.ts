import { UsageError } from '../../../domain/sluice-error.ts'
import { meanOf, meanPerDeviation } from '../sample/moments.ts'
import { quantileOf } from '../sample/quantile.ts'
import { type Returns, returnsProblem } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import type { Resamples } from './resamples.ts'

/** A statistic of a sample, and of resamples of it. */
export interface Bootstrap {
  /** Of the sample itself. */
  readonly observed: number
  /** Of each resample that has one, the smallest first. */
  readonly resampled: Float64Array
  /** Number of resamples that have none: a Sharpe ratio of returns that are all alike. */
  readonly undefinedCount: number
}

/** Lower and upper end. */
export type BootstrapInterval = readonly [lower: number, upper: number]

/** The mean of returns per period, bootstrapped; undefined for missing returns and without resamples. */
export function bootstrapMean(returns: Returns, resamples: Resamples): Statistic<Bootstrap> {
  return bootstrap(returns, resamples, meanOf)
}

/**
 * The Sharpe ratio of returns per period, bootstrapped; undefined for constant or missing returns, and where no resample
 * has one. Resamples whose returns are all alike are left out.
 */
export function bootstrapSharpe(returns: Returns, resamples: Resamples): Statistic<Bootstrap> {
  const scratch = new Float64Array(returns.length)
  return bootstrap(returns, resamples, values => meanPerDeviation(values, scratch))
}

function bootstrap(
  returns: Returns,
  resamples: Resamples,
  figure: (values: Float64Array) => number,
): Statistic<Bootstrap> {
  const problem = returnsProblem(returns, 1)
  if (problem !== undefined) return undefinedBecause(problem)
  if (resamples.size !== returns.length) {
    throw new UsageError(`Resamples of ${resamples.size} values are not ones of ${returns.length}.`)
  }
  const values = Float64Array.from(returns)
  const observed = figure(values)
  if (Number.isNaN(observed)) return undefinedBecause(`All ${values.length} returns are alike.`)
  const resampled = figuresOf(values, resamples, figure).sort()
  if (resampled.length === 0) return undefinedBecause('No resample has this statistic.')
  return defined({ observed, resampled, undefinedCount: resamples.count - resampled.length })
}

function figuresOf(
  values: Float64Array,
  resamples: Resamples,
  figure: (values: Float64Array) => number,
): Float64Array {
  const figures = new Float64Array(resamples.count)
  const [indices, taken] = [new Int32Array(values.length), new Float64Array(values.length)]
  for (let number = 0; number < resamples.count; number++) {
    resamples.fill(number, indices)
    for (let place = 0; place < taken.length; place++)
      taken[place] = values[indices[place] as number] as number
    figures[number] = figure(taken)
  }
  return figures.filter(value => !Number.isNaN(value))
}

/** Quantiles of the resampled statistic that leave out (1 - `confidence`) ÷ 2 on each side (B. Efron, 1981). */
export function percentileInterval({ resampled }: Bootstrap, confidence: number): BootstrapInterval {
  const beyond = (1 - checkedConfidence(confidence)) / 2
  return [quantileOf(resampled, beyond), quantileOf(resampled, 1 - beyond)]
}

/** The percentile interval mirrored at the observed statistic: 2·observed - its other end (A. C. Davison and D. V. Hinkley, 1997). */
export function basicInterval(found: Bootstrap, confidence: number): BootstrapInterval {
  const [lower, upper] = percentileInterval(found, confidence)
  return [2 * found.observed - upper, 2 * found.observed - lower]
}

/** Standard deviation of the resampled statistic; divides by the number of resamples. */
export function bootstrapStandardError({ resampled }: Bootstrap): number {
  const mean = meanOf(resampled)
  return Math.sqrt(resampled.reduce((sum, value) => sum + (value - mean) ** 2, 0) / resampled.length)
}

/** Share of resamples whose statistic is not above 0. */
export function shareNotPositive({ resampled }: Bootstrap): number {
  return resampled.reduce((count, value) => count + (value > 0 ? 0 : 1), 0) / resampled.length
}

/** The confidence itself; throws `UsageError` where it is not between 0 and 1. */
export function checkedConfidence(confidence: number): number {
  if (confidence > 0 && confidence < 1) return confidence
  throw new UsageError(`The confidence ${confidence} is not between 0 and 1.`)
}
