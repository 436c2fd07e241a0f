import type { KlineColumns } from './kline-columns.ts'
import { firstRowAtOrAfter } from './row-search.ts'

/**
 * A span of open times, ms UTC: from `from` (included) to `to` (excluded); a missing bound means the end of
 * the data.
 */
export interface TimeSpan {
  readonly from?: number
  readonly to?: number
}

/** Klines that open within a span, possibly none: views of the same memory, not copies. */
export function sliceKlines(columns: KlineColumns, { from, to }: TimeSpan): KlineColumns {
  const start = from === undefined ? 0 : firstRowAtOrAfter(columns.openTime, from)
  const end = to === undefined ? columns.length : firstRowAtOrAfter(columns.openTime, to)
  return sliceRows(columns, start, Math.max(start, end))
}

/** Rows from `start` (included) to `end` (excluded): views of the same memory. */
export function sliceRows(columns: KlineColumns, start: number, end: number): KlineColumns {
  return {
    length: end - start,
    openTime: columns.openTime.subarray(start, end),
    open: columns.open.subarray(start, end),
    high: columns.high.subarray(start, end),
    low: columns.low.subarray(start, end),
    close: columns.close.subarray(start, end),
    volume: columns.volume.subarray(start, end),
  }
}
