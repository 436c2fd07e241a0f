import { firstRowAtOrAfter } from '../row-search.ts'
import type { TimeSpan } from '../slice-klines.ts'

/** Rows of a span, possibly none, by the ascending times in the first column: views, not copies. */
export function columnsWithin(columns: readonly Float64Array[], { from, to }: TimeSpan): Float64Array[] {
  const times = columns[0] ?? new Float64Array()
  const start = from === undefined ? 0 : firstRowAtOrAfter(times, from)
  const end = to === undefined ? times.length : firstRowAtOrAfter(times, to)
  return columns.map(column => column.subarray(start, Math.max(start, end)))
}
