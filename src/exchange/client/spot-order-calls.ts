import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import type { CanceledOrder } from '../spot/canceled-order.ts'
import { listedOrders, listedTrades } from '../spot/listed-orders.ts'
import { type OrderPlacement, type PlainPlacement, placementFields } from '../spot/order-placement.ts'
import type { OrderReference } from '../spot/order-reference.ts'
import type { OwnTrade } from '../spot/own-trade.ts'
import type { PlacedOrder } from '../spot/placed-order.ts'
import { type BatchPlacement, batchEntry, type CanceledBatch } from '../spot/spot-batch.ts'
import type { SpotOrder } from '../spot/spot-order.ts'
import type { SymbolNames } from '../spot/symbol-names.ts'

/**
 * Filter of orders or trades of the last 6 months; times in ms UTC. Without times the last 7 days, with one
 * of them the 7 days after `startTime` or before `endTime`, with both at most 7 days.
 */
interface HistoryQuery {
  /** Default: all pairs, at weight 80. */
  readonly symbol?: string
  /** 1 to 100, default 50. */
  readonly limit?: number
  readonly startTime?: number
  readonly endTime?: number
}

/** Spot orders and own trades (interface section 4.2), signed. */
export interface SpotOrderCalls {
  /**
   * Places an order. Weight 5, at most 100 in 2 s. Throws `UnknownOutcomeError` if the order may still exist,
   * `NotSentError` if it certainly does not.
   */
  placeOrder(placement: OrderPlacement, options?: CallOptions): Promise<PlacedOrder>
  /** Resolves if the exchange would accept the order. Weight 1. */
  testOrder(placement: PlainPlacement): Promise<void>
  /**
   * Places up to 10 orders on one pair; resolves with the ids of the accepted ones. Weight 10. Throws as
   * `placeOrder` does. The orders have no client order ids, so after an unknown outcome only `openOrders` and
   * `historyOrders` show them.
   */
  placeOrders(batch: {
    readonly symbol: string
    readonly orders: readonly BatchPlacement[]
  }): Promise<readonly string[]>
  /**
   * One order. Weight 1. Throws an `ExchangeError` that `isOrderNotFound` recognises if it does not exist.
   */
  order(reference: OrderReference): Promise<SpotOrder>
  /** Cancels an open order, at once or later (`pendingCancel`). Weight 5. Throws as `placeOrder` does. */
  cancelOrder(reference: OrderReference, options?: CallOptions): Promise<CanceledOrder>
  /** Cancels up to 10 open orders of one pair. Weight 10. Throws as `placeOrder` does. */
  cancelOrders(batch: {
    readonly symbol: string
    readonly orderIds: readonly string[]
  }): Promise<CanceledBatch>
  /**
   * Open orders, oldest first; of one pair at weight 1, of all at weight 80. `limit`: 1 to 1000, default 100.
   */
  openOrders(query?: { readonly symbol?: string; readonly limit?: number }): Promise<readonly SpotOrder[]>
  /** Orders in any state, oldest first. Weight 20. */
  historyOrders(query?: HistoryQuery): Promise<readonly SpotOrder[]>
  /**
   * Own trades (v2), oldest first. Weight 1. `limit`: 1 to 1000, default 100; `fromId`: first trade id. Use
   * the lane `reconciliation` to find out the state of an order.
   */
  myTrades(
    query: { readonly symbol: string; readonly limit?: number; readonly fromId?: string },
    options?: CallOptions,
  ): Promise<readonly OwnTrade[]>
  /** Own trades by time (v3), oldest first. Weight 20. */
  historyTrades(query?: HistoryQuery): Promise<readonly OwnTrade[]>
}

/** Trading methods over `call`. */
export function spotOrderCalls(call: EndpointCall, names: SymbolNames): SpotOrderCalls {
  return {
    placeOrder: async (placement, options) => {
      const fields = { ...placementFields(placement), newClientOrderId: placement.clientOrderId }
      return { ...(await call(ENDPOINTS.spotNewOrder, fields, options)), symbol: fields.symbol }
    },
    testOrder: async ({ clientOrderId: newClientorderId, ...placement }) => {
      await call(ENDPOINTS.spotTestOrder, { ...placementFields(placement), newClientorderId })
    },
    placeOrders: ({ symbol, orders }) =>
      call(ENDPOINTS.spotBatchOrders, { symbol: symbol.toUpperCase(), orders: orders.map(batchEntry) }),
    order: async ({ symbol, orderId, clientOrderId }) => {
      const name = symbol.toUpperCase()
      const fields = { symbol: name, orderId, newClientorderId: clientOrderId }
      return { ...(await call(ENDPOINTS.spotOrder, fields)), symbol: name }
    },
    cancelOrder: async ({ symbol, orderId, clientOrderId }, options) => {
      const name = symbol.toUpperCase()
      const fields = { symbol: name, orderId, newClientOrderId: clientOrderId }
      return { ...(await call(ENDPOINTS.spotCancel, fields, options)), symbol: name }
    },
    cancelOrders: ({ symbol, orderIds }) =>
      call(ENDPOINTS.spotBatchCancel, { symbol: symbol.toUpperCase(), orderIds: [...orderIds] }),
    ...spotListCalls(call, names),
  }
}

type ListCalls = Pick<SpotOrderCalls, 'openOrders' | 'historyOrders' | 'myTrades' | 'historyTrades'>

function spotListCalls(call: EndpointCall, names: SymbolNames): ListCalls {
  return {
    openOrders: async query => {
      const symbol = query?.symbol?.toUpperCase()
      return listedOrders(await call(ENDPOINTS.spotOpenOrders, { ...query, symbol }), symbol, names)
    },
    historyOrders: async query => {
      const symbol = query?.symbol?.toUpperCase()
      return listedOrders(await call(ENDPOINTS.spotHistoryOrders, { ...query, symbol }), symbol, names)
    },
    myTrades: async (query, options) => {
      const symbol = query.symbol.toUpperCase()
      return listedTrades(await call(ENDPOINTS.spotMyTradesV2, { ...query, symbol }, options), symbol, names)
    },
    historyTrades: async query => {
      const symbol = query?.symbol?.toUpperCase()
      return listedTrades(await call(ENDPOINTS.spotMyTradesV3, { ...query, symbol }), symbol, names)
    },
  }
}
