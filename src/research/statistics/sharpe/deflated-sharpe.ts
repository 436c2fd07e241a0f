import { defined, derived, type Statistic, undefinedBecause } from '../statistic.ts'
import { expectedMaximum } from './expected-maximum.ts'
import { probabilisticSharpe } from './probabilistic-sharpe.ts'
import type { SharpeEstimate } from './sharpe-estimate.ts'

/** The trials among which a ratio was chosen. */
export interface TriedSharpes {
  /** Number of independent trials, also an effective one; at least 1. */
  readonly trials: number
  /** Sample variance of the Sharpe ratios of all trials, per period (an annual variance ÷ periods a year). */
  readonly variance: number
}

/** A Sharpe ratio measured against the best that luck is expected to give. */
export interface DeflatedSharpe {
  /** Sharpe ratio per period that the best of so many trials without skill is expected to have. */
  readonly expectedMaximum: number
  /** Probability that the true ratio is above it. */
  readonly probability: Statistic
}

/**
 * The deflated Sharpe ratio: `probabilisticSharpe` with the benchmark √variance × `expectedMaximum(trials)` (D. H. Bailey and
 * M. López de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management, 2014). For one trial the benchmark is 0.
 */
export function deflatedSharpe(
  estimate: SharpeEstimate,
  { trials, variance }: TriedSharpes,
): Statistic<DeflatedSharpe> {
  if (!(variance >= 0)) return undefinedBecause(`The variance ${variance} of the trials is not one.`)
  return derived(expectedMaximum(trials), deviations => {
    const maximum = Math.sqrt(variance) * deviations
    return defined({ expectedMaximum: maximum, probability: probabilisticSharpe(estimate, maximum) })
  })
}
