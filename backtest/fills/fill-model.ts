import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Steps } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'

/** Takes the orders of one market in a backtest, and fills them. */
export interface FillModel {
  /** True while no market data can change anything here. */
  readonly isEmpty: boolean
  /** Entries (by clientOrderId) whose result depends on what the data does not tell. */
  readonly ambiguousEntries: ReadonlySet<string>
  /**
   * Takes an order at a market time, ms UTC. `followsOn`: it was decided earlier and waited for trades at this
   * moment.
   */
  place(request: OrderRequest, time: number, followsOn: boolean): void
  /** Sends a cancel at a market time, ms UTC; `onOut` is called once the order is out, unless it has filled. */
  requestCancel(clientOrderId: string, time: number, onOut: () => void): void
  /** Takes an order out at once. */
  remove(clientOrderId: string): void
  /** Gives an order a new total quantity. */
  resize(clientOrderId: string, quantity: Steps): void
  /** Lets what must trade now trade at the open of a kline, whatever its volume and the orders' latency. */
  force(kline: Kline): void
  /** True if a liquidation on the current kline depends on its path. */
  isAmbiguousLiquidation(kline: Kline): boolean
}
