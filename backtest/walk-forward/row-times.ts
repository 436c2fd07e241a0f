import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import type { RowRange } from '../../src/research/splits/row-range.ts'
import type { DailyRecord } from '../../src/research/walk-forward/daily-record.ts'
import { DAY_MS } from '../metrics/convention.ts'
import type { Trial } from '../trials/trial.ts'

/** Klines that a walk-forward cuts into windows. */
export interface WindowedKlines {
  readonly klines: KlineColumns
  readonly interval: Interval
}

/** Times of rows: from the open of the first to the close of the last, ms UTC. */
export interface RowTimes {
  readonly from: number
  readonly to: number
}

/** When the klines of some rows open and close. */
export function timesOf({ klines, interval }: WindowedKlines, { from, to }: RowRange): RowTimes {
  // Both are rows: a range is never empty.
  const [first, last] = [klines.openTime[from] as number, klines.openTime[to - 1] as number]
  return { from: first, to: closeTimeOf(last, interval) }
}

/** Open times of some rows, as trials are asked for them. */
export function spanOf({ klines }: WindowedKlines, { from, to }: RowRange): TimeSpan {
  const end = klines.openTime[to]
  return { from: klines.openTime[from] as number, ...(end !== undefined && { to: end }) } // a row
}

/** Number of UTC days that some times lie in. */
export function daysOf({ from, to }: RowTimes): number {
  return Math.ceil(to / DAY_MS) - Math.floor(from / DAY_MS)
}

/** Daily returns of a trial over some rows; cash where there is no trial. */
export function recordOver(times: RowTimes, trial: Trial | undefined): DailyRecord {
  if (trial?.outcome === 'finished') return { firstDay: trial.firstDay, returns: trial.dailyReturns }
  return { firstDay: Math.floor(times.from / DAY_MS), returns: new Float64Array(daysOf(times)) }
}
