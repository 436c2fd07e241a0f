import type { OrderUpdated } from '../../domain/events/engine-event.ts'
import { cancellationFor } from '../../domain/orders/cancel-cause.ts'
import type { UnknownOutcomeError } from '../../exchange/errors/unknown-outcome-error.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { type OrderSlices, SHORT } from './order-slices.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'

/** Tells what becomes of orders at the exchange, and forgets those that are over. */
export class OrderOutcomes {
  readonly #options: Pick<ExecutionOptions, 'emit' | 'serverNow' | 'settlementMarginMs'>
  readonly #orders: TrackedOrders
  readonly #slices: OrderSlices

  /** `orders` are all that are followed, `slices` those of them that were sent in slices. */
  constructor(
    options: Pick<ExecutionOptions, 'emit' | 'serverNow' | 'settlementMarginMs'>,
    orders: TrackedOrders,
    slices: OrderSlices,
  ) {
    this.#options = options
    this.#orders = orders
    this.#slices = slices
  }

  /** Its placement got no answer: until the exchange can no longer accept it, absence proves nothing. */
  markUnknown(order: TrackedOrder, error: UnknownOutcomeError): void {
    order.absentAfter = error.acceptableUntil + this.#options.settlementMarginMs
    this.update(order, 'outcomeLost', { reason: error.message })
  }

  /** Its placement left before a restart, and nobody was there for the answer. */
  markUnknownAtRestart(order: TrackedOrder): void {
    this.update(order, 'outcomeLost', { reason: 'The bot ended before the exchange answered.' })
  }

  /** The exchange has it, under an id of its own. */
  confirm(order: TrackedOrder, exchangeOrderId: string): void {
    order.exchangeOrderId = exchangeOrderId
    this.update(order, 'accepted', { exchangeOrderId })
  }

  /** Its fills have told that it is over; an order that left in parts may end with the last of them. */
  finish(order: TrackedOrder): void {
    if (order.isShort) {
      this.end(order, 'canceled', SHORT)
      return
    }
    const { clientOrderId } = order.request
    this.#orders.remove(order)
    const end = this.#slices.fill(clientOrderId, this.#options.serverNow())
    if (end !== undefined) this.#options.emit(end)
  }

  /** A cancel of ours that says why tells more than the exchange does; and what it filled in part it cannot have rejected. */
  endAs(order: TrackedOrder, ending: 'canceled' | 'expired' | 'rejected', said: string): void {
    const possible = ending === 'rejected' && order.booked > 0 ? 'expired' : ending
    const { event, reason } =
      possible === 'canceled' ? cancellationFor(order.cancelCause) : { event: possible, reason: said }
    this.end(order, event, reason ?? said)
  }

  /** It is over. */
  end(order: TrackedOrder, event: 'canceled' | 'expired' | 'rejected' | 'notPlaced', reason: string): void {
    this.#orders.remove(order)
    this.update(order, event, { reason })
  }

  /** Tells a change of it. */
  update(
    { request: { clientOrderId } }: Pick<TrackedOrder, 'request'>,
    event: OrderUpdated['event'],
    details: Pick<OrderUpdated, 'exchangeOrderId' | 'reason'> = {},
  ): void {
    this.#options.emit({
      type: 'orderUpdated',
      clientOrderId,
      event,
      time: this.#options.serverNow(),
      ...details,
    })
  }
}
