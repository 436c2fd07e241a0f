import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Holds an entry while a market exit is pending that it must not meet. A reversal is an exit and an entry on one side; on a
 * netting account, an entry that came first would close the position itself, the exchange would refuse the exit, and the
 * account would end up flat. A limit entry on the other side would trade with the exit.
 */
export class ReversalGate {
  readonly waiting = new WaitingOrders()
  readonly #isHeld: (request: OrderRequest) => boolean

  /** `isHeld`: true while such an exit is pending or live at the exchange, or its rest is to be sent again. */
  constructor(isHeld: (request: OrderRequest) => boolean) {
    this.#isHeld = isHeld
  }

  /** Removes and returns an order that may be sent, the oldest first; call it until it returns none. */
  next(): OrderRequest | undefined {
    return this.waiting.takeFirst(request => !this.#isHeld(request))
  }
}
