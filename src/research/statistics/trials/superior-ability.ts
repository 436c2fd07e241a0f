import { UsageError } from '../../../domain/sluice-error.ts'
import type { Resamples } from '../resampling/resamples.ts'
import { centred, meanOf } from '../sample/moments.ts'
import { isConstant } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import { bootstrapVariance } from './bootstrap-variance.ts'
import { ResampledMeans } from './resampled-means.ts'
import { type TrialReturns, trialsProblem } from './trials-problem.ts'

/** Tests of whether the best of all trials beats the benchmark by more than luck. */
export interface SuperiorAbility {
  /** Mean return of each trial above the benchmark. */
  readonly means: Float64Array
  /** Variance of √periods × each mean. */
  readonly longRunVariances: Float64Array
  /** Trials (1) that are not so bad that Hansen's consistent test leaves them out (0). */
  readonly relevant: Uint8Array
  /** The largest mean; its `upper` is the reality check of White. */
  readonly notStudentised: SuperiorAbilityTest
  /** The largest mean in units of its own error, at least 0; undefined where no trial varies. */
  readonly studentised: Statistic<SuperiorAbilityTest>
}

/** A statistic with p-values for three ways of centring the resamples. */
export interface SuperiorAbilityTest {
  readonly statistic: number
  /** All trials that lose are left out: too small. */
  readonly lower: number
  /** Only trials that lose by far are left out: Hansen's. */
  readonly consistent: number
  /** No trial is left out, however bad: too large. */
  readonly upper: number
}

/** ln ln T is below 0 for fewer periods. */
const LEAST_PERIODS = 3

/**
 * Reality check (H. White, "A Reality Check for Data Snooping", Econometrica, 2000) and test for superior predictive ability
 * (P. R. Hansen, "A Test for Superior Predictive Ability", Journal of Business & Economic Statistics, 2005) of returns above a
 * benchmark; to test against cash, they are the returns. `resamples` are stationary, with blocks of the mean length
 * `meanBlock`. A p-value is the share of resamples whose largest centred mean is above the observed largest mean; it is 1 where
 * no trial beats the benchmark. Centres are: `lower` max(mean, 0), `upper` the mean, `consistent` the mean where that is at
 * least -√(variance ÷ T · 2·ln ln T), else 0. A trial that does not vary has no error and is left out of the studentised test.
 */
export function superiorAbility(
  excess: TrialReturns,
  resamples: Resamples,
  meanBlock: number,
): Statistic<SuperiorAbility> {
  const problem = trialsProblem(excess, LEAST_PERIODS)
  if (problem !== undefined) return undefinedBecause(problem)
  if (resamples.count === 0) return undefinedBecause('There are no resamples.')
  checkArguments(excess, resamples, meanBlock)
  const periods = resamples.size
  const means = Float64Array.from(excess, meanOf)
  const longRunVariances = Float64Array.from(excess, returns =>
    isConstant(returns) ? 0 : bootstrapVariance(centred(returns), meanBlock),
  )
  const least = Math.sqrt((2 * Math.log(Math.log(periods))) / periods)
  const relevant = Uint8Array.from(means, (mean, trial) =>
    mean >= -least * Math.sqrt(longRunVariances[trial] as number) ? 1 : 0,
  )
  const scales = longRunVariances.map(variance => (variance > 0 ? Math.sqrt(periods / variance) : 0))
  const maxima = new Maxima(means, relevant, scales)
  countResamples(maxima, new ResampledMeans(excess), resamples)
  return defined({ means, longRunVariances, relevant, ...maxima.tests(resamples.count) })
}

function checkArguments(excess: TrialReturns, { size }: Resamples, meanBlock: number): void {
  if (size !== excess[0]?.length)
    throw new UsageError(`Resamples of ${size} values are not ones of these trials.`)
  if (!(meanBlock >= 1)) throw new UsageError(`A mean block of ${meanBlock} is not one of at least 1 value.`)
}

function countResamples(maxima: Maxima, resampled: ResampledMeans, resamples: Resamples): void {
  const indices = new Int32Array(resamples.size)
  for (let number = 0; number < resamples.count; number++) {
    resamples.fill(number, indices)
    maxima.add(resampled.of(indices))
  }
}

/** Counts resamples whose largest centred mean is above the largest mean, for each way of centring. */
class Maxima {
  readonly #means: Float64Array
  readonly #relevant: Uint8Array
  /** Factor that turns a mean into one in units of its error; 0 for a trial without an error. */
  readonly #scales: Float64Array
  readonly #largest: number
  readonly #largestScaled: number
  readonly #counts = { lower: 0, consistent: 0, upper: 0 }
  readonly #scaledCounts = { lower: 0, consistent: 0, upper: 0 }

  constructor(means: Float64Array, relevant: Uint8Array, scales: Float64Array) {
    this.#means = means
    this.#relevant = relevant
    this.#scales = scales
    this.#largest = means.reduce((largest, mean) => Math.max(largest, mean), Number.NEGATIVE_INFINITY)
    this.#largestScaled = means.reduce(
      (largest, mean, trial) => Math.max(largest, mean * (scales[trial] as number)),
      0,
    )
  }

  /** Counts one resample, by the mean of each trial in it. */
  add(resampled: Float64Array): void {
    let [lower, consistent, upper] = [
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ]
    let [scaledLower, scaledConsistent, scaledUpper] = [0, 0, 0]
    for (let trial = 0; trial < resampled.length; trial++) {
      const value = resampled[trial] as number
      const [mean, scale] = [this.#means[trial] as number, this.#scales[trial] as number]
      const fromMean = value - mean
      const fromLower = mean > 0 ? fromMean : value
      const fromConsistent = this.#relevant[trial] === 1 ? fromMean : value
      if (fromLower > lower) lower = fromLower
      if (fromConsistent > consistent) consistent = fromConsistent
      if (fromMean > upper) upper = fromMean
      if (fromLower * scale > scaledLower) scaledLower = fromLower * scale
      if (fromConsistent * scale > scaledConsistent) scaledConsistent = fromConsistent * scale
      if (fromMean * scale > scaledUpper) scaledUpper = fromMean * scale
    }
    if (lower > this.#largest) this.#counts.lower++
    if (consistent > this.#largest) this.#counts.consistent++
    if (upper > this.#largest) this.#counts.upper++
    if (scaledLower > this.#largestScaled) this.#scaledCounts.lower++
    if (scaledConsistent > this.#largestScaled) this.#scaledCounts.consistent++
    if (scaledUpper > this.#largestScaled) this.#scaledCounts.upper++
  }

  tests(count: number): Pick<SuperiorAbility, 'notStudentised' | 'studentised'> {
    const notStudentised = testOf(this.#largest, this.#counts, count)
    const varies = this.#scales.some(scale => scale > 0)
    const studentised: Statistic<SuperiorAbilityTest> = varies
      ? defined(testOf(this.#largestScaled, this.#scaledCounts, count))
      : undefinedBecause('No trial has returns that vary.')
    return { notStudentised, studentised }
  }
}

type Counts = Omit<SuperiorAbilityTest, 'statistic'>

/** Shares of the resamples; 1 where no trial beats the benchmark. */
function testOf(statistic: number, { lower, consistent, upper }: Counts, count: number): SuperiorAbilityTest {
  if (!(statistic > 0)) return { statistic, lower: 1, consistent: 1, upper: 1 }
  return { statistic, lower: lower / count, consistent: consistent / count, upper: upper / count }
}
