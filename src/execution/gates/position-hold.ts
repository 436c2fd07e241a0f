import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Holds the orders of instruments whose position at the exchange may differ from the books: the exchange
 * refused to close it, or holds less. Liquidations come without notice; a trade before their booking would be
 * booked against a closed position.
 */
export class PositionHold {
  readonly waiting = new WaitingOrders()
  readonly #held = new Set<string>()

  /** No order of a symbol is sent until `release`. */
  hold(symbol: string): void {
    this.#held.add(symbol)
  }

  /** Holds an order if its symbol is held; `false` otherwise. */
  holds(request: OrderRequest): boolean {
    if (!this.#held.has(request.symbol)) return false
    this.waiting.hold(request)
    return true
  }

  /** Books and exchange agree: returns the held orders. */
  release(): readonly OrderRequest[] {
    this.#held.clear()
    return this.waiting.takeAll()
  }
}
