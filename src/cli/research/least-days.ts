import { DAY_MS } from '../../../backtest/metrics/convention.ts'
import type { LeastDays } from '../../../backtest/search/objective.ts'
import { daysOf, type RowTimes } from '../../../backtest/walk-forward/row-times.ts'

/** Number of days of some times, as an objective counts those that it needs. */
export function daysCounted(times: RowTimes, counted: LeastDays['counted']): number {
  return counted === 'utc' ? daysOf(times) : Math.floor((times.to - times.from) / DAY_MS)
}
