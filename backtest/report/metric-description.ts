/** How a figure is written: `percent` and `rate` are fractions, a rate with more digits; `money` is in quote; `duration` is in ms. */
export type MetricUnit = 'percent' | 'rate' | 'ratio' | 'count' | 'money' | 'duration'

/** What people read of a metric. The exact formula and its source stand with the figure in `backtest/metrics`. */
export interface MetricDescription {
  readonly label: string
  readonly unit: MetricUnit
  /** What it means, for somebody who hears of it for the first time. */
  readonly meaning: string
}
