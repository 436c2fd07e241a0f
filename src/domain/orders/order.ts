import type { Steps } from '../numbers/grid.ts'
import { NO_STEPS, steps } from '../numbers/grid.ts'
import type { OrderRequest } from './order-request.ts'
import type { OrderStatus } from './order-status.ts'

/** One of our orders in the ledger. */
export interface Order {
  readonly request: OrderRequest
  readonly status: OrderStatus
  readonly filledQuantity: Steps
  /** The exchange's id, once it is known. */
  readonly exchangeOrderId?: string | undefined
  /** Reason of a rejection, a cancel, or an order that was given up. */
  readonly reason?: string | undefined
}

/** A new order, in the journal but not sent. */
export function pendingOrder(request: OrderRequest): Order {
  return {
    request,
    status: 'pending',
    filledQuantity: NO_STEPS,
    exchangeOrderId: undefined,
    reason: undefined,
  }
}

/** Unfilled quantity. */
export function openQuantityOf(order: Order): Steps {
  return steps(order.request.quantity - order.filledQuantity)
}
