import type { Kline } from '../domain/kline.ts'

/** Klines by column, ascending by open time; all columns have the same length. */
export interface KlineColumns {
  readonly length: number
  /** ms UTC. */
  readonly openTime: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
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

/** All klines, one object a row. */
export function klinesIn(columns: KlineColumns): Kline[] {
  return Array.from({ length: columns.length }, (_, row) => klineAt(columns, row))
}

/** Klines as columns, in the order given. */
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
