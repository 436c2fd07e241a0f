import { civilDateOf } from '../../../src/domain/market-data/civil-date.ts'
import type { DailySeries } from './daily-series.ts'

/** Return of one calendar month, in UTC. */
export interface MonthReturn {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** Equity at its end over equity at the end of the month before, less 1; `null` after ruin. */
  readonly value: number | null
  /** The same of buy and hold; `null` without a benchmark. */
  readonly benchmark: number | null
  /** Days of it that the run covers. */
  readonly days: number
}

/** The months that a run touches, in order. */
export function monthsOf(series: DailySeries, benchmark?: DailySeries): MonthReturn[] {
  const months: MonthReturn[] = []
  let first = 0
  for (let day = 0; day < series.values.length; day++) {
    const { year, month } = civilDateOf(series.firstDay + day)
    if (day + 1 < series.values.length && civilDateOf(series.firstDay + day + 1).month === month) continue
    months.push({
      year,
      month,
      value: returnBetween(series, first, day),
      benchmark: benchmark === undefined ? null : returnBetween(benchmark, first, day),
      days: day - first + 1,
    })
    first = day + 1
  }
  return months
}

function returnBetween({ start, values }: DailySeries, first: number, last: number): number | null {
  const before = first === 0 ? start : (values[first - 1] ?? Number.NaN)
  const change = (values[last] ?? Number.NaN) / before - 1
  return before > 0 && Number.isFinite(change) ? change : null
}
