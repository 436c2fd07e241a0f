import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Orders of instruments whose position is in doubt: the exchange refused to close what the books have, or has less of it. A
 * liquidation comes without a word; whatever traded before it is booked would be booked against a position that is gone.
 */
export class DoubtGate {
  readonly waiting = new WaitingOrders()
  readonly #doubted = new Set<string>()

  /** Nothing of a symbol may leave until `trust`. */
  doubt(symbol: string): void {
    this.#doubted.add(symbol)
  }

  /** Takes an order in, if its symbol is in doubt; `false` otherwise. */
  holds(request: OrderRequest): boolean {
    if (!this.#doubted.has(request.symbol)) return false
    this.waiting.hold(request)
    return true
  }

  /** Books and exchange agree: gives out what waited. */
  trust(): readonly OrderRequest[] {
    this.#doubted.clear()
    return this.waiting.takeAll()
  }
}
