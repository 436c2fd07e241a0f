import type { TriedSharpes } from '../../src/research/statistics/sharpe/deflated-sharpe.ts'
import { expectedMaximum } from '../../src/research/statistics/sharpe/expected-maximum.ts'
import { DAYS_PER_YEAR } from '../metrics/convention.ts'

/** Places between two powers of ten at which the curve has a point. */
const POINTS = 20

/**
 * Annual Sharpe ratio that the best of the trials up to a place is expected to have by luck alone: their deviation × the expected
 * maximum of as many normal variables. `different` has, for each place, how many different trials have finished up to it. Trials
 * that are counted and stand at no place come before the first. Empty for fewer than two trials.
 */
export function luckCurve(
  different: Float64Array,
  { trials, variance }: TriedSharpes,
): (readonly [place: number, sharpe: number])[] {
  if (trials < 2) return []
  const places = different.length
  const before = Math.max(0, trials - (different[places - 1] ?? 0))
  const deviation = Math.sqrt(variance * DAYS_PER_YEAR)
  const chosen = new Set([places])
  for (let step = 0; 10 ** (step / POINTS) < places; step++) chosen.add(Math.round(10 ** (step / POINTS)))
  return [...chosen]
    .sort((left, right) => left - right)
    .map(place => {
      const count = Math.max(1, before + (different[place - 1] ?? 0))
      return [place, deviation * (expectedMaximum(count).value ?? 0)] as const
    })
}
