import type { OrderRequest } from '../domain/order-request.ts'

/**
 * Orders of instruments whose position is in doubt: the exchange refused to close what the books have, or has less of it. A
 * liquidation comes without a word; whatever traded before it is booked would be booked against a position that is gone.
 */
export class DoubtGate {
  /** What waits, oldest first, by symbol. */
  readonly #doubted = new Map<string, Map<string, OrderRequest>>()

  /** Orders that wait here, oldest first of each symbol. */
  get requests(): readonly OrderRequest[] {
    return [...this.#doubted.values()].flatMap(waiting => [...waiting.values()])
  }

  /** Nothing of a symbol may leave until `trust`. */
  doubt(symbol: string): void {
    if (!this.#doubted.has(symbol)) this.#doubted.set(symbol, new Map())
  }

  /** Takes an order in, if its symbol is in doubt; `false` otherwise. */
  holds(request: OrderRequest): boolean {
    const waiting = this.#doubted.get(request.symbol)
    waiting?.set(request.clientOrderId, request)
    return waiting !== undefined
  }

  /** Takes an order out; `false` if it does not wait here (any more). */
  remove(clientOrderId: string): boolean {
    return [...this.#doubted.values()].some(waiting => waiting.delete(clientOrderId))
  }

  /** Gives a waiting order a new quantity; `false` if it does not wait here (any more). */
  resize(clientOrderId: string, quantity: OrderRequest['quantity']): boolean {
    for (const waiting of this.#doubted.values()) {
      const request = waiting.get(clientOrderId)
      if (request === undefined) continue
      waiting.set(clientOrderId, { ...request, quantity })
      return true
    }
    return false
  }

  /** Books and exchange agree: gives out what waited. */
  trust(): readonly OrderRequest[] {
    const { requests } = this
    this.#doubted.clear()
    return requests
  }
}
