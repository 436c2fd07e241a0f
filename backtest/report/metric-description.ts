/**
 * Format of a figure: `percent` and `rate` are fractions, a rate with more digits; `money` is in quote;
 * `duration` is in ms.
 */
export type MetricUnit = 'percent' | 'rate' | 'ratio' | 'count' | 'money' | 'duration'

/**
 * Texts of a metric for readers. The exact formula and its source stand with the figure in
 * `backtest/metrics`.
 */
export interface MetricDescription {
  readonly label: string
  readonly unit: MetricUnit
  /** Explanation for newcomers. */
  readonly meaning: string
}
