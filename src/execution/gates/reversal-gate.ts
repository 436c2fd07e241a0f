import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Holds an entry while a market exit of the same side and position is pending. A reversal is an exit and an
 * entry; on a netting account, an entry that came first would close the position itself, the exchange would
 * refuse the exit, and the account would end up flat.
 */
export class ReversalGate {
  readonly waiting = new WaitingOrders()
  readonly #hasExitBeside: (request: OrderRequest) => boolean

  /**
   * `hasExitBeside`: true if a market exit of the same side and position is pending or live at the exchange, or its rest
   * is to be sent again.
   */
  constructor(hasExitBeside: (request: OrderRequest) => boolean) {
    this.#hasExitBeside = hasExitBeside
  }

  /** Removes and returns an order that may be sent, the oldest first; call it until it returns none. */
  next(): OrderRequest | undefined {
    return this.waiting.takeFirst(request => !this.#hasExitBeside(request))
  }
}
