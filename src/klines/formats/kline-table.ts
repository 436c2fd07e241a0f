import type { KlineColumns } from '../kline-columns.ts'
import type { KlineFormat } from './kline-format.ts'

/** Klines as a file has them: every value is a finite number, and nothing else is sure. */
export interface KlineTable {
  readonly columns: KlineColumns
  /** Where in the file a row (0 is the first) was found: "Line 3". */
  placeOf(row: number): string
}

/** Klines as a file of a format has them. */
export interface KlineFileTable extends KlineTable {
  readonly format: KlineFormat
}

/** Klines of six columns in the order of memory. */
export function klineColumnsOf(columns: readonly Float64Array[]): KlineColumns {
  // Readers of klines make six columns of the same length.
  const [openTime, open, high, low, close, volume] = columns as readonly [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return { length: openTime.length, openTime, open, high, low, close, volume }
}
