import { expectedMaximum } from '../../src/research/statistics/sharpe/expected-maximum.ts'
import { varianceOfSharpes } from '../../src/research/statistics/trials/effective-trials.ts'
import { DAYS_PER_YEAR } from '../metrics/convention.ts'

/** Numbers of trials between two powers of ten at which the curve has a point. */
const POINTS = 20

/**
 * Annual Sharpe ratio that the best of the first n trials is expected to have by luck alone, for n up to their number: the
 * deviation of all their daily ratios × the expected maximum of n normal variables. Empty where the ratios have no variance.
 */
export function luckCurve(dailySharpes: Float64Array, trials: number): (readonly [number, number])[] {
  const { value: variance } = varianceOfSharpes([...dailySharpes])
  if (variance === undefined) return []
  const deviation = Math.sqrt(variance * DAYS_PER_YEAR)
  const counts = new Set([trials])
  for (let step = 0; 10 ** (step / POINTS) < trials; step++) counts.add(Math.round(10 ** (step / POINTS)))
  return [...counts]
    .sort((left, right) => left - right)
    .map(count => [count, deviation * (expectedMaximum(count).value ?? 0)] as const)
}
