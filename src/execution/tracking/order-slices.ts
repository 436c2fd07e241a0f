import type { EngineEvent, OrderUpdated } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { partId, partSizes, wholeId } from '../../domain/orders/order-parts.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'

/** An order sent in parts. */
interface SlicedOrder {
  /** Ids of the parts that have not ended. */
  readonly left: Set<string>
  /** Steps of all of them. */
  readonly sent: number
  /** True once the engine knows that a part is at the exchange. */
  isAccepted: boolean
  /** True once the engine knows that the outcome of a part is unknown. */
  isLost: boolean
  /** Final events of parts that did not fill completely. */
  readonly endings: OrderUpdated[]
}

/** State after a restart of an order sent in parts. */
export interface KnownSlices {
  readonly isAccepted: boolean
  readonly isLost: boolean
  /** True if some of its parts were never sent. */
  readonly isIncomplete: boolean
}

const NEW: KnownSlices = { isAccepted: false, isLost: false, isIncomplete: false }

/** The requests to send for an order: itself, or parts within the exchange's maximum quantity. */
export function requestsOf({ maxQuantity }: Instrument, request: OrderRequest): readonly OrderRequest[] {
  if (request.quantity <= maxQuantity) return [request]
  return partSizes(request.quantity, maxQuantity).map((quantity, index) => ({
    ...request,
    clientOrderId: partId(request.clientOrderId, index + 1),
    quantity,
  }))
}

/** Orders sent in parts: combines the events of the parts into those of the engine's one order. */
export class OrderSlices {
  readonly #orders = new Map<string, SlicedOrder>()

  /** Adds an order by the ids of its parts; a known order gets these parts in addition. */
  add(
    clientOrderId: string,
    parts: readonly string[],
    sent: number,
    { isAccepted, isLost, isIncomplete } = NEW,
  ): void {
    const known = this.#orders.get(clientOrderId)
    if (known !== undefined) {
      for (const part of parts) known.left.add(part)
      return
    }
    const endings = isIncomplete ? [neverLeft(clientOrderId)] : []
    this.#orders.set(clientOrderId, { left: new Set(parts), sent, isAccepted, isLost, endings })
  }

  /**
   * Notes a new quantity of the engine: if the sent parts fall short of it, the order ends as canceled after
   * them.
   */
  resize(clientOrderId: string, quantity: number): void {
    const sliced = this.#orders.get(clientOrderId)
    if (sliced !== undefined && quantity > sliced.sent) sliced.endings.push(fallsShort(clientOrderId))
  }

  /** The engine's event for an event of any order; `undefined` if it must wait, or is a repetition. */
  translate(event: EngineEvent): EngineEvent | undefined {
    if (event.type === 'filled') {
      const clientOrderId = wholeId(event.fill.clientOrderId)
      return clientOrderId === event.fill.clientOrderId
        ? event
        : { ...event, fill: { ...event.fill, clientOrderId } }
    }
    if (event.type !== 'orderUpdated') return event
    const clientOrderId = wholeId(event.clientOrderId)
    return clientOrderId === event.clientOrderId ? event : this.#update(clientOrderId, event)
  }

  /** Notes that a part filled completely; returns the final event of its order, if that was the last part. */
  fill(part: string, time: number): EngineEvent | undefined {
    const clientOrderId = wholeId(part)
    const end = clientOrderId === part ? undefined : this.#end(clientOrderId, part)
    return end && { ...end, time }
  }

  #update(clientOrderId: string, event: OrderUpdated): EngineEvent | undefined {
    const whole = { ...event, clientOrderId }
    const sliced = this.#orders.get(clientOrderId)
    switch (event.event) {
      case 'submitted':
        return undefined
      case 'accepted':
        if (sliced !== undefined) sliced.isAccepted = true
        return whole
      case 'outcomeLost': {
        if (sliced === undefined || sliced.isAccepted || sliced.isLost) return undefined
        sliced.isLost = true
        return whole
      }
      default:
        sliced?.endings.push(whole)
        return this.#end(clientOrderId, event.clientOrderId)
    }
  }

  /** The order ends only once all parts have ended. */
  #end(clientOrderId: string, part: string): OrderUpdated | undefined {
    const sliced = this.#orders.get(clientOrderId)
    if (sliced === undefined) return undefined
    sliced.left.delete(part)
    if (sliced.left.size > 0) return undefined
    this.#orders.delete(clientOrderId)
    return endOf(sliced)
  }
}

/**
 * An order that the engine knows to be at the exchange cannot be rejected or unplaced any more: its remainder
 * expired.
 */
function endOf({ endings, isAccepted }: SlicedOrder): OrderUpdated | undefined {
  const [first] = endings
  if (first === undefined) return undefined
  const taken = endings.find(({ event }) => event === 'canceled' || event === 'expired')
  if (!isAccepted) return endings.find(({ event }) => event === 'rejected') ?? taken ?? first
  return taken ?? { ...first, event: 'expired' }
}

/** Reason that an order ended although all of its sent quantity filled. */
export const SHORT = 'It was sent before its quantity was raised.'

function fallsShort(clientOrderId: string): OrderUpdated {
  return { type: 'orderUpdated', clientOrderId, event: 'canceled', reason: SHORT, time: 0 }
}

function neverLeft(clientOrderId: string): OrderUpdated {
  const reason = 'The bot ended before all of its parts had left.'
  return { type: 'orderUpdated', clientOrderId, event: 'notPlaced', reason, time: 0 }
}
