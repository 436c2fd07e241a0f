import type { TopColumns } from '../../src/klines/formats/read-tick-file.ts'
import type { TradeColumns } from '../../src/klines/store/table-layout.ts'

/** Recorded data of a market: each public trade, and the best bids and asks if known. Both ascend by time. */
export interface TickData {
  readonly trades: TradeColumns
  readonly tops?: TopColumns | undefined
}
