import type { OrderRequest } from '../domain/order-request.ts'

/**
 * Orders that open something, as long as an exit at market of the same side and position is not over: a turn is an exit and
 * an entry, and on an account that nets, the entry would close what the exit is to close, if it came first. Then the exchange
 * would refuse the exit, and nothing would be held in the end.
 */
export class TurnGate {
  readonly #hasExitBeside: (request: OrderRequest) => boolean
  readonly #waiting = new Map<string, OrderRequest>()

  /** `hasExitBeside` says whether an exit at market of the same side and position is at the exchange, or on its way there. */
  constructor(hasExitBeside: (request: OrderRequest) => boolean) {
    this.#hasExitBeside = hasExitBeside
  }

  /** Orders that wait here, oldest first. */
  get requests(): readonly OrderRequest[] {
    return [...this.#waiting.values()]
  }

  /** Takes an order in. */
  hold(request: OrderRequest): void {
    this.#waiting.set(request.clientOrderId, request)
  }

  /** Takes an order out; `false` if it does not wait here (any more). */
  remove(clientOrderId: string): boolean {
    return this.#waiting.delete(clientOrderId)
  }

  /** Takes out and returns an order that may leave, the oldest first; to be asked until there is none. */
  next(): OrderRequest | undefined {
    for (const [id, request] of this.#waiting) {
      if (this.#hasExitBeside(request)) continue
      this.#waiting.delete(id)
      return request
    }
    return undefined
  }
}
