import type { Side } from '../../domain/orders/side.ts'
import type { CallOptions } from '../../exchange/call/endpoint-call.ts'
import type { SpotClient } from '../../exchange/client/spot-client.ts'
import type { ExactNumber, OrderPlacement } from '../../exchange/spot/order-placement.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'

/** A market order that closes contracts: of an exact quantity, whether it buys or sells. */
export interface ClosePlacement {
  readonly symbol: string
  readonly clientOrderId?: string
  readonly type: 'market'
  readonly side: Side
  readonly quantity: ExactNumber
}

/** A new order; `reduceOnly` if it may only reduce a position. */
export type Placement = (OrderPlacement | ClosePlacement) & { readonly reduceOnly: boolean }

/**
 * Fields that identify an order without an answer to its placement; on some markets they are the only
 * evidence.
 */
export interface Likeness {
  readonly side: Side
  /** Steps, as text. */
  readonly quantity: string
  /** Of a limit order, as text. */
  readonly price?: string | undefined
  readonly reduceOnly: boolean
  /** Server time before which it cannot have reached the exchange, ms UTC. */
  readonly since: number
  /** True if an order of the exchange is known to be another own one. */
  readonly isAnother: (orderId: string) => boolean
}

/** Range of a read: everything of a symbol since a time, ms UTC. */
export interface SymbolRange {
  readonly symbol: string
  readonly from: number
}

/** An order by the exchange's id; or by ours, then with its fields. */
export type LookedFor =
  | { readonly symbol: string; readonly orderId: string }
  | { readonly symbol: string; readonly clientOrderId: string; readonly likeness: Likeness }

/**
 * Calls that place, cancel and follow orders, on spot, on margin or on futures. Symbols are `BASE/QUOTE`,
 * quantities count the instrument's own unit (contracts on futures), errors are those of the client;
 * `isOrderNotFound` recognises the error of an unknown order.
 */
export interface TradingCalls extends Pick<SpotClient, 'myTrades' | 'allMyTrades'> {
  placeOrder(placement: Placement, options?: CallOptions): Promise<{ readonly orderId: string }>
  cancelOrder(
    reference: { readonly symbol: string; readonly orderId: string },
    options?: CallOptions,
  ): Promise<unknown>
  order(looked: LookedFor): Promise<SpotOrder>
  openOrders(query: { readonly symbol: string; readonly limit?: number }): Promise<readonly SpotOrder[]>
  /** Fails with an error that `isNotOffered` recognises where the exchange lists no past orders. */
  allHistoryOrders(range: SymbolRange): AsyncIterable<SpotOrder>
  allHistoryTrades(range: SymbolRange): AsyncIterable<OwnTrade>
}
