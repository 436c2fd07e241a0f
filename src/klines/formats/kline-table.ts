import type { KlineColumns } from '../kline-columns.ts'
import type { KlineFormat } from './kline-format.ts'

/** Unchecked klines of a file: every value is a finite number, no more is certain. */
export interface KlineTable {
  readonly columns: KlineColumns
  /** Place of a row (0 is the first) in the file: "Line 3". */
  placeOf(row: number): string
}

/** Unchecked klines of a file, with its format. */
export interface KlineFileTable extends KlineTable {
  readonly format: KlineFormat
}

/** Klines from their six columns, in the order of `KLINE_COLUMNS`. */
export function klineColumnsOf(columns: readonly Float64Array[]): KlineColumns {
  // Readers of klines return six columns of the same length.
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
