import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'

/** An instrument and the klines that were replayed of it. */
export interface ReplayedMarket {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly klines: KlineColumns
  /** The book of the strategy that trades it, where that is not the symbol. */
  readonly book?: string
  /** Name of that strategy, where there are several markets. */
  readonly strategy?: string
}
