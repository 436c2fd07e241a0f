import { normalProbability, normalQuantile } from '../distributions/normal-distribution.ts'
import { defined, finite, type Statistic, undefinedBecause } from '../statistic.ts'
import { type AdjustedP, adjustedByBhy, adjustedByBonferroni, adjustedByHolm } from './multiple-tests.ts'

/** Sharpe ratios of all trials as one way of adjusting for their number leaves them, in the order of the trials. */
export interface HaircutSharpes {
  readonly adjustedP: Float64Array
  /** Annual Sharpe ratio whose p-value without adjustment is the adjusted one. */
  readonly sharpe: readonly Statistic[]
  /** Part of the ratio that is cut off: 1 - haircut ratio ÷ ratio; undefined for a ratio of 0. */
  readonly haircut: readonly Statistic[]
}

/** Haircuts by three ways of adjusting. */
export interface Haircuts {
  /** t of each annual ratio: S × √years. */
  readonly t: Float64Array
  /** Two-sided normal p-value of each t. */
  readonly p: Float64Array
  readonly bonferroni: HaircutSharpes
  readonly holm: HaircutSharpes
  readonly bhy: HaircutSharpes
}

/**
 * Annual Sharpe ratios of all trials, cut for the number of trials: the simple form of C. R. Harvey and Y. Liu, "Backtesting",
 * Journal of Portfolio Management, 2015, over the trials that were run (their universe of trials that nobody saw is left
 * out). `years` is the length of the record, the same for all. Undefined without trials and without a length.
 */
export function haircutSharpes(annualSharpes: ArrayLike<number>, years: number): Statistic<Haircuts> {
  const sharpes = Float64Array.from(annualSharpes)
  const missing = sharpes.findIndex(sharpe => !Number.isFinite(sharpe))
  if (missing >= 0)
    return undefinedBecause(`The Sharpe ratio of trial ${missing + 1} is ${sharpes[missing]}.`)
  if (sharpes.length === 0) return undefinedBecause('There are no trials.')
  if (!(years > 0)) return undefinedBecause(`A record of ${years} years has no length.`)
  const t = sharpes.map(sharpe => sharpe * Math.sqrt(years))
  const p = t.map(value => 2 * normalProbability(-Math.abs(value)))
  const cut = (adjust: AdjustedP) => cutTo(sharpes, adjust(p), years)
  return defined({
    t,
    p,
    bonferroni: cut(adjustedByBonferroni),
    holm: cut(adjustedByHolm),
    bhy: cut(adjustedByBhy),
  })
}

function cutTo(sharpes: Float64Array, adjustedP: Float64Array, years: number): HaircutSharpes {
  const left = Array.from(sharpes, (sharpe, trial) => sharpeOf(adjustedP[trial] as number, sharpe, years))
  const haircut = left.map((cut, trial) => haircutOf(cut, sharpes[trial] as number))
  return { adjustedP, sharpe: left, haircut }
}

/** The annual ratio with the sign of `sharpe` and this p-value. */
function sharpeOf(p: number, sharpe: number, years: number): Statistic {
  const size = Math.max(0, -normalQuantile(p / 2)) / Math.sqrt(years)
  return finite(
    Math.sign(sharpe) * size,
    `The p-value of a Sharpe ratio of ${sharpe} is too small for a number.`,
  )
}

function haircutOf({ value, reason }: Statistic, sharpe: number): Statistic {
  if (reason !== undefined) return undefinedBecause(reason)
  if (sharpe === 0) return undefinedBecause('A Sharpe ratio of 0 has nothing to cut.')
  return defined(1 - value / sharpe)
}
