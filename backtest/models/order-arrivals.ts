import type { Ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'

/** Times at which orders and cancels reach the market, ms UTC, given the time at which they are sent. */
export interface OrderArrivals {
  readonly ofOrder: (request: OrderRequest, sentAt: number) => number
  readonly ofCancel: (request: OrderRequest, sentAt: number) => number
  /** Worst price with which an order at market is known to have been sent; `undefined` without one. */
  readonly capOf?: (request: OrderRequest, sentAt: number) => Ticks | undefined
}

/** Each order and cancel arrives `latencyMs` after it is sent. */
export function fixedArrivals(latencyMs: number): OrderArrivals {
  const arrival = (_: OrderRequest, sentAt: number) => sentAt + latencyMs
  return { ofOrder: arrival, ofCancel: arrival }
}
