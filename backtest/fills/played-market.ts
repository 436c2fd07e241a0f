import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { FuturesData } from '../futures/futures-data.ts'
import type { DetailKlines } from './detail-klines.ts'

/** Klines that an instrument is traded on. */
export interface PlayedMarket {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly klines: KlineColumns
  readonly detail?: DetailKlines | undefined
  /** On a futures account: data of the contract besides its klines. */
  readonly futures?: FuturesData | undefined
}
