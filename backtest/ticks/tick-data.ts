import type { BookColumns, RecordedTrades } from '../../src/klines/formats/book-columns.ts'
import type { OrderArrivals } from '../models/order-arrivals.ts'

/** Recorded data of a market, each kind in the order in which it became known. */
export interface TickData {
  /** Each public trade, ascending by time. */
  readonly trades: RecordedTrades
  /** Order books; without them, trades are all that is known. */
  readonly books?: BookColumns | undefined
  /** Arrivals of the orders of a recorded session; default: by the latency of the settings. */
  readonly arrivals?: OrderArrivals | undefined
}
