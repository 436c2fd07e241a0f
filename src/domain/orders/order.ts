import type { Steps } from '../numbers/grid.ts'
import { NO_STEPS, steps } from '../numbers/grid.ts'
import type { OrderRequest } from './order-request.ts'
import type { OrderStatus } from './order-status.ts'

/** One of our orders as the ledger knows it. */
export interface Order {
  readonly request: OrderRequest
  readonly status: OrderStatus
  readonly filledQuantity: Steps
  /** The exchange's id, once it told us. */
  readonly exchangeOrderId?: string | undefined
  /** Why the order was rejected, canceled or given up. */
  readonly reason?: string | undefined
}

/** A new order, journaled but not sent. */
export function pendingOrder(request: OrderRequest): Order {
  return {
    request,
    status: 'pending',
    filledQuantity: NO_STEPS,
    exchangeOrderId: undefined,
    reason: undefined,
  }
}

/** What is still to be filled. */
export function openQuantityOf(order: Order): Steps {
  return steps(order.request.quantity - order.filledQuantity)
}
