import type { CallOptions, EndpointCall } from '../call/endpoint-call.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { patiently, type Range } from '../ranges/until-aborted.ts'
import type { CanceledOrder } from '../spot/canceled-order.ts'
import { listedOrders, listedTrades } from '../spot/listed-orders.ts'
import { type PlainPlacement, placementFields } from '../spot/order-placement.ts'
import type { OrderReference } from '../spot/order-reference.ts'
import type { OwnTrade } from '../spot/own-trade.ts'
import type { PlacedOrder } from '../spot/placed-order.ts'
import type { SpotOrder } from '../spot/spot-order.ts'
import type { SymbolNames } from '../spot/symbol-names.ts'
import { type OwnTradesRange, ownTradesRange } from './own-trades-range.ts'

/**
 * Margin orders and own trades (interface section 4.4), signed; parameters and answers as sibling hosts
 * publish them. Symbols, numbers, ids, times, order of lists and errors as on spot. The volume of a market
 * buy is in quote here too.
 */
export interface MarginClient extends MarginCalls {
  /**
   * Own trades by id, 1000 a call, including those that happen meanwhile; otherwise like `spot.allMyTrades`.
   */
  allMyTrades(range: OwnTradesRange): Range<OwnTrade>
}

/** Methods of `MarginClient` that make one call. */
interface MarginCalls {
  /**
   * Places a limit or market order. Weight 5, at most 100 in 2 s. Throws `UnknownOutcomeError` if the order
   * may still exist, `NotSentError` if it certainly does not.
   */
  placeOrder(placement: PlainPlacement, options?: CallOptions): Promise<PlacedOrder>
  /**
   * One order. Weight 5, at most 20 in 2 s. Throws an `ExchangeError` that `isOrderNotFound` recognises if it
   * does not exist.
   */
  order(reference: OrderReference): Promise<SpotOrder>
  /** Cancels an open order. Weight 5, at most 100 in 2 s. Throws as `placeOrder` does. */
  cancelOrder(reference: OrderReference, options?: CallOptions): Promise<CanceledOrder>
  /**
   * Open orders of one pair or of all, oldest first. Weight 1, at most 20 in 2 s. `limit`: 1 to 1000, default
   * 100. The list omits client order ids; `order` has them.
   */
  openOrders(query?: { readonly symbol?: string; readonly limit?: number }): Promise<readonly SpotOrder[]>
  /**
   * Own trades, oldest first, without user ids. Weight 1. `limit`: 1 to 1000, default 100; `fromId`: first
   * trade id. Use the lane `reconciliation` to find out the state of an order.
   */
  myTrades(
    query: { readonly symbol: string; readonly limit?: number; readonly fromId?: string },
    options?: CallOptions,
  ): Promise<readonly OwnTrade[]>
}

/** Margin methods over `call`. */
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
