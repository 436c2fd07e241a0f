import { quantileOf } from '../sample/quantile.ts'
import { type Returns, returnsProblem } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import type { Resamples } from './resamples.ts'

/** Result of a sequence of trades on an equity of 1. */
export interface TradePath {
  /** Equity at the end: the product of (1 + return). */
  readonly finalFactor: number
  /** Largest 1 - equity ÷ its highest before, the start included. */
  readonly maxDrawdown: number
  /** Most trades in a row with a return below 0. */
  readonly longestLosingStreak: number
}

/** The figures of many sequences, the smallest of each first. */
export interface TradePaths {
  readonly finalFactor: Float64Array
  readonly maxDrawdown: Float64Array
  readonly longestLosingStreak: Float64Array
}

/** Returns of trades in the order they came, and in others. */
export interface TradeResampling {
  readonly observed: TradePath
  readonly paths: TradePaths
  /** Share of sequences whose drawdown is deeper than the observed one, by more than rounding. */
  readonly shareWorseThanObserved: number
  /** Share of sequences that end below an equity of 1. */
  readonly shareLosing: number
}

/** Rounding of products in another order. */
const ROUNDING_OF_PRODUCTS = 1e-12

/**
 * The same trades in other orders (`shuffledResamples`: how much of the drawdown was the order), or drawn with replacement
 * (`drawnResamples`: what other trades like these would have made). `tradeReturns` are fractions of equity; trades are taken as
 * independent. Undefined for missing returns, without resamples, and where a trade loses more than everything.
 */
export function resampledTrades(tradeReturns: Returns, resamples: Resamples): Statistic<TradeResampling> {
  const problem = returnsProblem(tradeReturns, 1) ?? lossProblem(tradeReturns)
  if (problem !== undefined) return undefinedBecause(problem)
  if (resamples.count === 0) return undefinedBecause('There are no resamples.')
  const values = Float64Array.from(tradeReturns)
  const observed = pathOf(values)
  const paths = pathsOf(values, resamples)
  const { maxDrawdown, finalFactor } = paths
  const deeper = observed.maxDrawdown + ROUNDING_OF_PRODUCTS
  return defined({
    observed,
    paths: {
      finalFactor: finalFactor.sort(),
      maxDrawdown: maxDrawdown.sort(),
      longestLosingStreak: paths.longestLosingStreak.sort(),
    },
    shareWorseThanObserved: shareOf(maxDrawdown, drawdown => drawdown > deeper),
    shareLosing: shareOf(finalFactor, factor => factor < 1),
  })
}

/** Quantiles of one figure of the sequences, by linear interpolation. */
export function pathQuantiles(figures: Float64Array, probabilities: readonly number[]): number[] {
  return probabilities.map(probability => quantileOf(figures, probability))
}

function lossProblem(returns: Returns): string | undefined {
  for (let index = 0; index < returns.length; index++) {
    const value = returns[index] as number // inside the bounds
    if (value < -1) return `Trade ${index + 1} has a return of ${value}: it loses more than everything.`
  }
  return undefined
}

function pathsOf(values: Float64Array, resamples: Resamples): TradePaths {
  const empty = () => new Float64Array(resamples.count)
  const paths = { finalFactor: empty(), maxDrawdown: empty(), longestLosingStreak: empty() }
  const [indices, taken] = [new Int32Array(values.length), new Float64Array(values.length)]
  for (let number = 0; number < resamples.count; number++) {
    resamples.fill(number, indices)
    for (let place = 0; place < taken.length; place++)
      taken[place] = values[indices[place] as number] as number
    const path = pathOf(taken)
    paths.finalFactor[number] = path.finalFactor
    paths.maxDrawdown[number] = path.maxDrawdown
    paths.longestLosingStreak[number] = path.longestLosingStreak
  }
  return paths
}

function pathOf(returns: Float64Array): TradePath {
  let [equity, peak, maxDrawdown, streak, longestLosingStreak] = [1, 1, 0, 0, 0]
  for (let index = 0; index < returns.length; index++) {
    const value = returns[index] as number
    equity *= 1 + value
    if (equity > peak) peak = equity
    maxDrawdown = Math.max(maxDrawdown, 1 - equity / peak)
    streak = value < 0 ? streak + 1 : 0
    longestLosingStreak = Math.max(longestLosingStreak, streak)
  }
  return { finalFactor: equity, maxDrawdown, longestLosingStreak }
}

function shareOf(values: Float64Array, holds: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (holds(value) ? 1 : 0), 0) / values.length
}
