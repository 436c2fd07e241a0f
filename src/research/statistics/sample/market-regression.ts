import { defined, derived, type Statistic, undefinedBecause } from '../statistic.ts'
import { centred, meanOf, ROUNDING } from './moments.ts'
import { neweyWest } from './newey-west.ts'
import { deviationProblem, type Returns, ruinProblem } from './sample-problem.ts'
import { sumOf } from './sum.ts'

/** Returns as those of the market and a rest: return = alpha + beta × return of the market + noise. */
export interface MarketRegression {
  /** Mean return that holding the market at an exposure of `beta` does not explain. */
  readonly alpha: number
  /** Exposure to the market that fits the returns best. */
  readonly beta: number
  /** Alpha ÷ its standard error. */
  readonly t: number
}

/**
 * Least squares of returns on those of the market in the same periods (M. C. Jensen, "The Performance of Mutual Funds in the Period
 * 1945-1964", Journal of Finance, 1968), with the error of alpha by W. K. Newey and K. D. West over their usual lags. Alpha and t are 0
 * where the market explains all. Undefined for missing and for constant returns, of either, and where everything was lost.
 */
export function marketRegression(returns: Returns, market: Returns): Statistic<MarketRegression> {
  const { length: count } = returns
  if (market.length !== count)
    return undefinedBecause(`There are ${count} returns and ${market.length} of the market.`)
  const problem = deviationProblem(returns) ?? ruinProblem(returns)
  if (problem !== undefined) return undefinedBecause(problem)
  const marketProblem = deviationProblem(market)
  if (marketProblem !== undefined) return undefinedBecause(`Of the market: ${marketProblem}`)
  const [distances, marketMean] = [centred(market), meanOf(market)]
  const values = centred(returns)
  const variance = sumOf(distances.map(distance => distance * distance)) / count
  const beta = sumOf(values.map((value, index) => value * (distances[index] as number))) / count / variance
  const alpha = meanOf(returns) - beta * marketMean
  const rest = values.map((value, index) => value - beta * (distances[index] as number))
  if (largestOf(rest) <= ROUNDING * largestOf(values)) return defined({ alpha: 0, beta, t: 0 })
  // Each period's part of alpha: their mean is alpha, and their long-run variance is that of its estimate.
  const parts = rest.map(
    (value, index) => alpha + value * (1 - (marketMean * (distances[index] as number)) / variance),
  )
  return derived(neweyWest(parts), ({ t }) => defined({ alpha, beta, t }))
}

function largestOf(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
