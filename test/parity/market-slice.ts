import type { Kline } from '../../src/domain/kline.ts'
import { type KlineColumns, klinesIn } from '../../src/klines/kline-columns.ts'
import { readKlineFile } from '../../src/klines/read-kline-file.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { sharedPath } from '../shared-data.ts'

/** A part of a real market, for the replay and for the simulated exchange. */
export interface MarketSlice {
  readonly columns: KlineColumns
  readonly klines: readonly Kline[]
}

/** Some rows of `binance-btcusdt-1m`. */
export function marketSlice(from: number, length: number): MarketSlice {
  const { columns } = readKlineFile(sharedPath('data', 'binance-btcusdt-1m.csv.gz'))
  const slice = sliceRows(columns, from, from + length)
  return { columns: slice, klines: klinesIn(slice) }
}
