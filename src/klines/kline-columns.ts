import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineSeries } from '../domain/market-data/kline-series.ts'

/** Klines in columns, ascending by open time; all columns have the same length. */
export interface KlineColumns extends KlineSeries {
  readonly length: number
}

/** Zero-filled columns for `length` klines. */
export function emptyColumns(length: number): KlineColumns {
  const column = () => new Float64Array(length)
  return {
    length,
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  }
}

/** The kline of one row; the row must exist. */
export function klineAt(columns: KlineColumns, row: number): Kline {
  return {
    openTime: columns.openTime[row] as number,
    open: columns.open[row] as number,
    high: columns.high[row] as number,
    low: columns.low[row] as number,
    close: columns.close[row] as number,
    volume: columns.volume[row] as number,
  }
}

/** All klines, one object per row. */
export function klinesIn(columns: KlineColumns): Kline[] {
  return Array.from({ length: columns.length }, (_, row) => klineAt(columns, row))
}

/** Klines in columns, in the given order. */
export function columnsFrom(klines: readonly Kline[]): KlineColumns {
  return {
    length: klines.length,
    openTime: Float64Array.from(klines, kline => kline.openTime),
    open: Float64Array.from(klines, kline => kline.open),
    high: Float64Array.from(klines, kline => kline.high),
    low: Float64Array.from(klines, kline => kline.low),
    close: Float64Array.from(klines, kline => kline.close),
    volume: Float64Array.from(klines, kline => kline.volume),
  }
}
