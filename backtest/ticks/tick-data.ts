import type { ArrivalColumns, BookColumns } from '../../src/klines/formats/book-columns.ts'
import type { TradeColumns } from '../../src/klines/store/table-layout.ts'

/** Recorded data of a market, each kind in the order in which it became known. */
export interface TickData {
  /** Each public trade, ascending by time. */
  readonly trades: TradeColumns
  /** When each trade became known; default: at its time. */
  readonly tradeArrival?: ArrivalColumns | undefined
  /** Order books; without them, trades are all that is known. */
  readonly books?: BookColumns | undefined
}
