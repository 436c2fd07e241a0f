import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'

/** An instrument and the klines that were replayed of it. */
export interface Market {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly klines: KlineColumns
}
