import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { MatchingTerms } from '../../src/matching/working-order.ts'

/** Times at which orders and cancels reach the market, ms UTC, given the time at which they are sent. */
export interface OrderArrivals {
  readonly ofOrder: (request: OrderRequest, sentAt: number) => number
  readonly ofCancel: (request: OrderRequest, sentAt: number) => number
  /** Terms with which an order is known to have been sent; `undefined` for those that it asks for. */
  readonly sentAs?: (
    request: OrderRequest,
    sentAt: number,
  ) => Pick<MatchingTerms, 'kind' | 'limit'> | undefined
}

/** Each order and cancel arrives `latencyMs` after it is sent. */
export function fixedArrivals(latencyMs: number): OrderArrivals {
  const arrival = (_: OrderRequest, sentAt: number) => sentAt + latencyMs
  return { ofOrder: arrival, ofCancel: arrival }
}
