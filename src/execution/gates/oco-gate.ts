import type { EngineEvent, OrderUpdated } from '../../domain/events/engine-event.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'

interface Held {
  readonly request: OrderRequest
  /** Orders of its group at the exchange that have not ended. */
  readonly waitsFor: Set<string>
  /** Another order of the group filled: this one is not sent any more, and the engine cancels it. */
  isBeaten: boolean
}

/** Events that end an order without a complete fill. */
const ENDINGS: ReadonlySet<OrderUpdated['event']> = new Set(['canceled', 'expired', 'rejected', 'notPlaced'])

/**
 * Holds triggered orders of a group (OCO) while another one of the group is at the exchange: they are sent
 * only after that one ended without a fill, so that both cannot trade.
 */
export class OcoGate {
  readonly #held = new Map<string, Held>()

  /** Orders that wait here, oldest first. */
  get requests(): readonly OrderRequest[] {
    return Array.from(this.#held.values(), ({ request }) => request)
  }

  /** Holds an order until others have ended. */
  hold(request: OrderRequest, others: readonly string[]): void {
    this.#held.set(request.clientOrderId, { request, waitsFor: new Set(others), isBeaten: false })
  }

  /** Removes an order; `false` if it does not wait here (any more). */
  remove(clientOrderId: string): boolean {
    return this.#held.delete(clientOrderId)
  }

  /** True if another order of a group waits here already. */
  isTaken(order: OrderRequest): boolean {
    return this.requests.some(held => isOfGroup(held, order))
  }

  /** Removes and returns the orders that may be sent after an event of another. */
  released(event: EngineEvent): readonly OrderRequest[] {
    if (this.#held.size === 0) return NONE
    if (event.type === 'filled') this.#beat(event.fill.clientOrderId)
    return event.type === 'orderUpdated' && ENDINGS.has(event.event)
      ? this.#release(event.clientOrderId)
      : NONE
  }

  #beat(winner: string): void {
    for (const held of this.#held.values()) if (held.waitsFor.has(winner)) held.isBeaten = true
  }

  #release(over: string): readonly OrderRequest[] {
    const free: OrderRequest[] = []
    for (const [id, { request, waitsFor, isBeaten }] of this.#held) {
      if (!waitsFor.delete(over) || waitsFor.size > 0 || isBeaten) continue
      free.push(request)
      this.#held.delete(id)
    }
    return free
  }
}

/** True if an order is of the same group as `member`, an order of a group. */
export function isOfGroup({ terms }: OrderRequest, member: OrderRequest): boolean {
  return terms?.oco === member.terms?.oco
}

const NONE: readonly OrderRequest[] = []
