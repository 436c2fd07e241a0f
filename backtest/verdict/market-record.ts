import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import { firstRowAfter } from '../../src/klines/row-search.ts'
import { type DailyRecord, stitchedRecord } from '../../src/research/walk-forward/daily-record.ts'
import { dailySeriesOf, returnsOf } from '../metrics/returns/daily-series.ts'
import { type RowTimes, timesOf, type WindowedKlines } from '../walk-forward/row-times.ts'

/** Daily returns of holding the market over all klines, from the first open to the last close, without costs. */
export function marketRecord(data: WindowedKlines): DailyRecord {
  return marketOver(data, timesOf(data, { from: 0, to: data.klines.length }))
}

/** The same over tests one after another, each from its first open to its last close. */
export function marketRecordOfTests(data: WindowedKlines, tests: readonly RowTimes[]): DailyRecord {
  return stitchedRecord(tests.map(times => marketOver(data, times)))
}

function marketOver({ klines, interval }: WindowedKlines, { from, to }: RowTimes): DailyRecord {
  const first = firstRowAfter(klines.openTime, from - 1)
  const end = firstRowAfter(klines.openTime, to - 1)
  const time = Float64Array.from(klines.openTime.subarray(first, end), open => closeTimeOf(open, interval))
  const startEquity = klines.open[first] ?? Number.NaN
  const equity = klines.close.subarray(first, end)
  const series = dailySeriesOf({ startTime: from, startEquity, time, equity })
  return { firstDay: series.firstDay, returns: returnsOf(series) }
}
