import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { intervalMs } from '../../../src/domain/market-data/interval.ts'
import { DAY_MS, MINIMUM } from '../convention.ts'
import { type Metric, metricOfAtLeast, notAvailable } from '../metric.ts'
import { type DailySeries, returnsOf } from './daily-series.ts'

/** Daily returns of a run, which may be unfit for statistics. */
export interface DailyReturns {
  readonly values: Float64Array
  /** Why no statistic can be made of them, however many there are; `undefined` where one can. */
  readonly problem: string | undefined
}

/** The returns of a daily series, and the reason they are unusable, if any. */
export function dailyReturnsOf(series: DailySeries, interval: Interval): DailyReturns {
  return { values: returnsOf(series), problem: problemOf(series, interval) }
}

/** A statistic of daily returns, where there are enough. */
export function dailyMetric(
  { values, problem }: DailyReturns,
  figure: () => number,
  minimum: number = MINIMUM.dailyReturns,
): Metric {
  if (problem !== undefined) return notAvailable(problem)
  return metricOfAtLeast(minimum, 'daily returns', values.length, figure)
}

function problemOf({ start, values }: DailySeries, interval: Interval): string | undefined {
  if (intervalMs(interval) > DAY_MS) return `needs klines of at most one day, has ${interval}`
  // A day without equity at its start has no return.
  const starts = [start, ...values.subarray(0, -1)]
  return starts.every(worth => worth > 0) ? undefined : 'equity fell to zero'
}
