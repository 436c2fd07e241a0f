/**
 * Quantile of values in ascending order, between order statistics on a straight line: definition 7 of R. J. Hyndman and
 * Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician, 1996 (the default of numpy and R).
 * `NaN` for no values.
 */
export function quantileOf(ascending: ArrayLike<number>, probability: number): number {
  const position = (ascending.length - 1) * probability
  const below = Math.floor(position)
  const low = ascending[below] ?? Number.NaN
  const high = ascending[below + 1] ?? low
  return low + (position - below) * (high - low)
}
