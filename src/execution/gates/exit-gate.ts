import { bookOf } from '../../domain/book-names.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { WaitingOrders } from './waiting-orders.ts'

/** A pending or live order at the exchange that closes the same position. */
export interface OtherExit {
  readonly request: OrderRequest
  /** Steps that it may still trade. */
  readonly open: number
}

export interface ExitGateOptions {
  /** Orders at the exchange that reduce the same position. */
  readonly exitsBeside: (request: OrderRequest) => readonly OtherExit[]
  /** Steps of the position that an order closes. */
  readonly heldFor: (request: OrderRequest) => number
}

/** An order that need not wait any longer. */
export interface Released {
  readonly request: OrderRequest
  /** `send`: it may be sent. `idle`: its position is closed already, so it ends unsent. */
  readonly may: 'send' | 'idle'
}

/**
 * Holds an exit while another exit of the same position is live at the exchange: two stops of one entry
 * triggered together, or a stop and an exit. The spot exchange has no reduce-only orders; both would sell,
 * and the second would sell base outside the position.
 */
export class ExitGate {
  readonly waiting = new WaitingOrders()
  readonly #options: ExitGateOptions

  constructor(options: ExitGateOptions) {
    this.#options = options
  }

  /**
   * Removes and returns an order that need not wait any longer, the oldest first; call it until it returns
   * none.
   */
  next(): Released | undefined {
    const request = this.waiting.takeFirst(one => this.blockers(one).length === 0)
    if (request === undefined) return undefined
    return { request, may: request.quantity > this.#options.heldFor(request) ? 'idle' : 'send' }
  }

  /**
   * Limit exits at the exchange that make way for a waiting order: all for a protective one, else the newest
   * that close too much beside it.
   */
  makingWay(request: OrderRequest): readonly OrderRequest[] {
    const blockers = this.blockers(request)
    const limits = blockers.filter(
      ({ request: { protects, spec } }) => protects === undefined && spec.type === 'limit',
    )
    if (request.protects !== undefined) return limits.map(other => other.request)
    let excess =
      blockers.reduce<number>((sum, { open }) => sum + open, request.quantity) -
      this.#options.heldFor(request)
    return limits
      .toReversed()
      .filter(({ open }) => {
        const isNeeded = excess > 0
        excess -= open
        return isNeeded
      })
      .map(other => other.request)
  }

  /** Orders at the exchange that a waiting order waits for. */
  blockers(request: OrderRequest): readonly OtherExit[] {
    const others = this.#options.exitsBeside(request)
    if (request.protects !== undefined) {
      return others.filter(({ request: { protects } }) => (protects ?? request.protects) === request.protects)
    }
    const protective = others.filter(({ request: { protects } }) => protects !== undefined)
    const closing = others.reduce((sum, { open }) => sum + open, 0)
    return closing + request.quantity > this.#options.heldFor(request) ? others : protective
  }
}

/** True if two orders trade on the same side of the same position. */
export function isBeside(one: OrderRequest, other: OrderRequest): boolean {
  return one.side === other.side && bookOf(one) === bookOf(other)
}
