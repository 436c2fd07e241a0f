import { centred, momentsOf } from '../sample/moments.ts'
import { isConstant } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import { type TrialReturns, trialsProblem } from './trials-problem.ts'

/** Number of independent trials that correlated ones amount to. */
export interface EffectiveTrials {
  /** Trials whose returns vary; the others have no correlation and are left out. */
  readonly trials: number
  /** Mean correlation of two different trials. */
  readonly averageCorrelation: number
  /** ρ + (1 - ρ)·N for the mean correlation ρ (appendix of "The Deflated Sharpe Ratio", 2014); beyond N for a negative one. */
  readonly implied: number
  /** The same between 1 and N. */
  readonly effective: number
  /** (Σ λ)² ÷ Σ λ² of the eigenvalues λ of the correlation matrix: a second opinion, not of that paper. */
  readonly participationRatio: number
}

/**
 * Number of independent trials that these amount to, from the Pearson correlations of their returns. Undefined where
 * fewer than two trials vary. Costs periods² × trials, or trials² × periods, whichever is less.
 */
export function effectiveTrials(trials: TrialReturns): Statistic<EffectiveTrials> {
  const problem = trialsProblem(trials)
  if (problem !== undefined) return undefinedBecause(problem)
  const units = trials.filter(returns => !isConstant(returns)).map(unitOf)
  const count = units.length
  if (count < 2)
    return undefinedBecause(`A correlation needs two trials whose returns vary, and there are ${count}.`)
  const averageCorrelation = (squareOfSum(units) - count) / (count * (count - 1))
  const implied = averageCorrelation + (1 - averageCorrelation) * count
  return defined({
    trials: count,
    averageCorrelation,
    implied,
    effective: Math.min(count, Math.max(1, implied)),
    participationRatio: count ** 2 / sumOfSquaredProducts(units),
  })
}

/** Returns about their mean, with length 1: the product of two of these is the correlation. */
function unitOf(returns: Float64Array): Float64Array {
  const distances = centred(returns)
  const length = Math.sqrt(dot(distances, distances))
  return distances.map(distance => distance / length)
}

/** Sum of all correlations, those with itself included: the squared length of the sum of the units. */
function squareOfSum(units: readonly Float64Array[]): number {
  const sum = new Float64Array(units[0]?.length ?? 0)
  for (const unit of units) {
    for (let index = 0; index < sum.length; index++)
      sum[index] = (sum[index] as number) + (unit[index] as number)
  }
  return dot(sum, sum)
}

/** Σ of the squared correlations of all pairs; that of the products of periods is the same sum. */
function sumOfSquaredProducts(units: readonly Float64Array[]): number {
  const periods = units[0]?.length ?? 0
  const vectors = units.length <= periods ? units : transposed(units, periods)
  let sum = 0
  for (let from = 0; from < vectors.length; from += TILE) {
    const tile = vectors.slice(from, from + TILE)
    for (let other = 0; other < from; other++)
      sum += 2 * squaredProducts(tile, vectors[other] as Float64Array)
    for (const vector of tile) sum += squaredProducts(tile, vector)
  }
  return sum
}

/** So many vectors stay in the processor's cache while all others pass by them. */
const TILE = 16

function squaredProducts(tile: readonly Float64Array[], vector: Float64Array): number {
  let sum = 0
  for (let index = 0; index < tile.length; index++) sum += dot(tile[index] as Float64Array, vector) ** 2
  return sum
}

function transposed(columns: readonly Float64Array[], rows: number): Float64Array[] {
  return Array.from({ length: rows }, (_, row) => Float64Array.from(columns, column => column[row] as number))
}

/** Four sums side by side: one alone would wait for itself at every step. */
function dot(left: Float64Array, right: Float64Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  let index = left.length % 4
  for (let rest = 0; rest < index; rest++) first += (left[rest] as number) * (right[rest] as number)
  for (; index < left.length; index += 4) {
    first += (left[index] as number) * (right[index] as number)
    second += (left[index + 1] as number) * (right[index + 1] as number)
    third += (left[index + 2] as number) * (right[index + 2] as number)
    fourth += (left[index + 3] as number) * (right[index + 3] as number)
  }
  return first + second + (third + fourth)
}

/**
 * Sample variance of the Sharpe ratios (per period) of trials whose returns vary: what `deflatedSharpe` needs. Undefined
 * where fewer than two do.
 */
export function varianceOfTrialSharpes(trials: TrialReturns): Statistic {
  const problem = trialsProblem(trials)
  if (problem !== undefined) return undefinedBecause(problem)
  return varianceOfSharpes(trials.filter(returns => !isConstant(returns)).map(sharpeOf))
}

/** The same of the ratios themselves. */
export function varianceOfSharpes(sharpes: readonly number[]): Statistic {
  if (sharpes.length < 2)
    return undefinedBecause(`A variance needs two Sharpe ratios, and there are ${sharpes.length}.`)
  return defined(momentsOf(sharpes).deviation ** 2)
}

function sharpeOf(returns: Float64Array): number {
  const { mean, deviation } = momentsOf(returns)
  return mean / deviation
}
