import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/**
 * Holds orders until books and exchange agree. Those of instruments whose position at the exchange may differ from the
 * books: the exchange refused to close it, or holds less. Liquidations come without notice; a trade before their booking
 * would be booked against a closed position. And those of strategies until the first comparison of a life.
 */
export class PositionHold {
  readonly waiting = new WaitingOrders()
  readonly #held = new Set<string>()
  #isUncompared = false

  /** No order of a symbol is sent until `release`. */
  hold(symbol: string): void {
    this.#held.add(symbol)
  }

  /**
   * No order decided by a strategy is sent until `release`. Protective orders are: a stop whose price has passed cannot
   * wait for an exchange that is slow to answer. So are closing orders of the operator, who decides beyond the books.
   */
  holdUncompared(): void {
    this.#isUncompared = true
  }

  /** True while an order of a symbol that `hold` named waits. */
  get areHeld(): boolean {
    return this.#held.size > 0 && this.waiting.requests.some(({ symbol }) => this.#held.has(symbol))
  }

  /** Holds an order if it must not be sent yet; `false` otherwise. */
  holds(request: OrderRequest): boolean {
    const isStrategys = request.protects === undefined && request.purpose !== 'operator'
    if (!this.#held.has(request.symbol) && !(this.#isUncompared && isStrategys)) return false
    this.waiting.hold(request)
    return true
  }

  /** Books and exchange agree: returns the held orders. */
  release(): readonly OrderRequest[] {
    this.#held.clear()
    return this.endUncompared()
  }

  /** Ends `holdUncompared` alone; returns all held orders, those of held symbols among them. */
  endUncompared(): readonly OrderRequest[] {
    this.#isUncompared = false
    return this.waiting.takeAll()
  }
}
