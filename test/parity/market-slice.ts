import type { Kline } from '../../src/domain/market-data/kline.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { type KlineColumns, klinesIn } from '../../src/klines/kline-columns.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { sharedPath } from '../shared-data.ts'

/** A part of a real market, for the replay and for the simulated exchange. */
export interface MarketSlice {
  readonly columns: KlineColumns
  readonly klines: readonly Kline[]
}

/** Some rows of `binance-btcusdt-1m`. */
export async function marketSlice(from: number, length: number): Promise<MarketSlice> {
  const { columns } = await readKlineFile(sharedPath('data', 'binance-btcusdt-1m.csv.gz'))
  const slice = sliceRows(columns, from, from + length)
  return { columns: slice, klines: klinesIn(slice) }
}
