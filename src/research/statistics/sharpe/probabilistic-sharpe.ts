import { normalProbability, normalQuantile } from '../distributions/normal-distribution.ts'
import { derived, finite, type Statistic, undefinedBecause } from '../statistic.ts'
import { type SharpeEstimate, sharpeStandardError, varianceFactor } from './sharpe-estimate.ts'

/**
 * Probability that the true Sharpe ratio is above `benchmark` (per period): Φ((S - benchmark) ÷ its standard error)
 * (D. H. Bailey and M. López de Prado, "The Sharpe Ratio Efficient Frontier", Journal of Risk, 2012).
 */
export function probabilisticSharpe(estimate: SharpeEstimate, benchmark = 0): Statistic {
  return derived(sharpeStandardError(estimate), error =>
    finite(
      normalProbability((estimate.sharpe - benchmark) / error),
      `The benchmark ${benchmark} is not a number.`,
    ),
  )
}

/** The lower bound of a one-sided interval of the Sharpe ratio (per period): S - Φ⁻¹(confidence) × its standard error. */
export function sharpeLowerBound(estimate: SharpeEstimate, confidence: number): Statistic {
  return derived(sharpeStandardError(estimate), error =>
    finite(
      estimate.sharpe - normalQuantile(confidence) * error,
      `The confidence ${confidence} is not between 0 and 1.`,
    ),
  )
}

/**
 * Periods after which a record with this ratio and shape would show, with `confidence`, a true Sharpe ratio above
 * `benchmark`: 1 + V·(z ÷ (S - benchmark))², z = Φ⁻¹(confidence), not rounded (Bailey and López de Prado, 2012, as above).
 * Undefined where the ratio is not above the benchmark: then no length suffices. A figure below 1 is one of a sample whose
 * `sharpeStandardError` is undefined.
 */
export function minimumTrackRecordLength(
  estimate: SharpeEstimate,
  benchmark: number,
  confidence: number,
): Statistic {
  const above = estimate.sharpe - benchmark
  if (!(above > 0)) return undefinedBecause(noLength(estimate.sharpe, benchmark))
  const z = normalQuantile(confidence)
  return finite(
    1 + varianceFactor(estimate) * (z / above) ** 2,
    `There is no length for a confidence of ${confidence} in a ratio that is ${above} above its benchmark.`,
  )
}

function noLength(sharpe: number, benchmark: number): string {
  const [ratio, bar] = [sharpe, benchmark].map(value => Number(value.toPrecision(4)))
  return `The Sharpe ratio of a period, ${ratio}, is not above ${bar}, so that no length suffices.`
}
