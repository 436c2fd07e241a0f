const DAYS_PER_YEAR = 365

/** Fewer daily returns than this say nothing about a year. */
const FEWEST_RETURNS = 30

/**
 * Annual Sharpe ratio of daily returns: mean ÷ sample standard deviation (n - 1) × √365, with a risk-free rate of 0
 * (W. F. Sharpe, "The Sharpe Ratio", Journal of Portfolio Management, 1994; 365 because these markets never close).
 * `null` for fewer than 30 returns, for returns that do not vary, and where equity fell to nothing.
 */
export function sharpeRatio(returns: readonly number[]): number | null {
  if (returns.length < FEWEST_RETURNS || !returns.every(Number.isFinite)) return null
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (returns.length - 1))
  // Equal returns leave a residue of rounding, not a deviation.
  return deviation <= Math.abs(mean) * 1e-12 ? null : (mean / deviation) * Math.sqrt(DAYS_PER_YEAR)
}
