import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { type OwnTradesRange, ownTradesRange } from '../ranges/own-trades-range.ts'
import { patiently, type Range } from '../ranges/until-aborted.ts'
import type { CanceledOrder } from '../spot/canceled-order.ts'
import { listedOrders, listedTrades } from '../spot/listed-orders.ts'
import { type PlainPlacement, placementFields } from '../spot/order-placement.ts'
import type { OrderReference } from '../spot/order-reference.ts'
import type { OwnTrade } from '../spot/own-trade.ts'
import type { PlacedOrder } from '../spot/placed-order.ts'
import type { SpotOrder } from '../spot/spot-order.ts'
import type { SymbolNames } from '../spot/symbol-names.ts'

/**
 * Margin orders and own trades (interface section 4.4), signed; parameters and answers as sibling hosts publish them.
 * Symbols, numbers, ids, times, order of lists and errors as on spot. A market buy counts quote here too.
 */
export interface MarginClient extends MarginCalls {
  /** Own trades by id, 1000 a call, item by item, those that happen meanwhile included; else as `spot.allMyTrades`. */
  allMyTrades(range: OwnTradesRange): Range<OwnTrade>
}

/** The calls behind it. */
interface MarginCalls {
  /**
   * Places a limit or market order. Weight 5, at most 100 in 2 s. Throws `UnknownOutcomeError` where the order may exist
   * all the same, `NotSentError` where it certainly does not.
   */
  placeOrder(placement: PlainPlacement, options?: CallOptions): Promise<PlacedOrder>
  /** One order. Weight 5, at most 20 in 2 s. Throws an `ExchangeError` that `isOrderNotFound` recognises where there is none. */
  order(reference: OrderReference): Promise<SpotOrder>
  /** Cancels an open order. Weight 5, at most 100 in 2 s. Throws as `placeOrder` does. */
  cancelOrder(reference: OrderReference, options?: CallOptions): Promise<CanceledOrder>
  /**
   * Of one pair or of all, oldest first. Weight 1, at most 20 in 2 s. `limit`: 1 to 1000, default 100. The list tells no
   * client order ids; `order` does.
   */
  openOrders(query?: { readonly symbol?: string; readonly limit?: number }): Promise<readonly SpotOrder[]>
  /**
   * Oldest first, without user ids. Weight 1. `limit`: 1 to 1000, default 100; `fromId`: trade id to read from. To find out
   * what became of an order, ask in the lane `reconciliation`.
   */
  myTrades(
    query: { readonly symbol: string; readonly limit?: number; readonly fromId?: string },
    options?: CallOptions,
  ): Promise<readonly OwnTrade[]>
}

/** The margin endpoints over one way of calling. */
export function marginClient(call: EndpointCall, names: SymbolNames): MarginClient {
  return {
    ...marginCalls(call, names),
    allMyTrades: range =>
      ownTradesRange(range, page => marginCalls(patiently(call, range), names).myTrades(page)),
  }
}

function marginCalls(call: EndpointCall, names: SymbolNames): MarginCalls {
  return {
    placeOrder: async (placement, options) => {
      const fields = { ...placementFields(placement), newClientOrderId: placement.clientOrderId }
      return { ...(await call(ENDPOINTS.marginNewOrder, fields, options)), symbol: fields.symbol }
    },
    order: async reference => {
      const fields = referenceFields(reference)
      return { ...(await call(ENDPOINTS.marginOrder, fields)), symbol: fields.symbol }
    },
    cancelOrder: async (reference, options) => {
      const fields = referenceFields(reference)
      return { ...(await call(ENDPOINTS.marginCancel, fields, options)), symbol: fields.symbol }
    },
    openOrders: async query => {
      const symbol = query?.symbol?.toUpperCase()
      return listedOrders(await call(ENDPOINTS.marginOpenOrders, { ...query, symbol }), symbol, names)
    },
    myTrades: async (query, options) => {
      const symbol = query.symbol.toUpperCase()
      return listedTrades(await call(ENDPOINTS.marginMyTrades, { ...query, symbol }, options), symbol, names)
    },
  }
}

function referenceFields({ symbol, orderId, clientOrderId }: OrderReference) {
  return { symbol: symbol.toUpperCase(), orderId, newClientOrderId: clientOrderId }
}
