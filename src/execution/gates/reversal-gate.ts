import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Orders that open something, as long as an exit at market of the same side and position is not over: a reversal is an exit and
 * an entry, and on an account that nets, the entry would close what the exit is to close, if it came first. Then the exchange
 * would refuse the exit, and nothing would be held in the end.
 */
export class ReversalGate {
  readonly waiting = new WaitingOrders()
  readonly #hasExitBeside: (request: OrderRequest) => boolean

  /** `hasExitBeside` says whether an exit at market of the same side and position is at the exchange, or on its way there. */
  constructor(hasExitBeside: (request: OrderRequest) => boolean) {
    this.#hasExitBeside = hasExitBeside
  }

  /** Takes out and returns an order that may leave, the oldest first; to be asked until there is none. */
  next(): OrderRequest | undefined {
    return this.waiting.takeFirst(request => !this.#hasExitBeside(request))
  }
}
