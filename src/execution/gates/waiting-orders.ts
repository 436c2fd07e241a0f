import type { Steps } from '../../domain/numbers/grid.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'

/** Orders that are not to be sent yet, oldest first. */
export class WaitingOrders {
  readonly #byId = new Map<string, OrderRequest>()

  get size(): number {
    return this.#byId.size
  }

  get requests(): readonly OrderRequest[] {
    return [...this.#byId.values()]
  }

  /** Adds an order. */
  hold(request: OrderRequest): void {
    this.#byId.set(request.clientOrderId, request)
  }

  /** Removes an order; `false` if it does not wait here (any more). */
  remove(clientOrderId: string): boolean {
    return this.#byId.delete(clientOrderId)
  }

  /** Gives a waiting order a new quantity; `false` if it does not wait here (any more). */
  resize(clientOrderId: string, quantity: Steps): boolean {
    const request = this.#byId.get(clientOrderId)
    if (request === undefined) return false
    this.#byId.set(clientOrderId, { ...request, quantity })
    return true
  }

  /** Removes and returns the first order that may be sent. */
  takeFirst(mayLeave: (request: OrderRequest) => boolean): OrderRequest | undefined {
    for (const request of this.#byId.values()) {
      if (!mayLeave(request)) continue
      this.#byId.delete(request.clientOrderId)
      return request
    }
    return undefined
  }

  /** Removes and returns all orders. */
  takeAll(): readonly OrderRequest[] {
    const { requests } = this
    this.#byId.clear()
    return requests
  }
}
