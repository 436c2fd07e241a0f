import type { OrderUpdated } from '../../domain/events/engine-event.ts'
import { cancellationFor } from '../../domain/orders/cancel-cause.ts'
import type { UnknownOutcomeError } from '../../exchange/errors/unknown-outcome-error.ts'
import type { ExecutionOptions } from '../execution-options.ts'
import { type OrderSlices, SHORT } from './order-slices.ts'
import type { TrackedOrder } from './tracked-order.ts'
import type { TrackedOrders } from './tracked-orders.ts'

/** Emits the outcomes of orders at the exchange, and drops ended ones. */
export class OrderOutcomes {
  readonly #options: Pick<ExecutionOptions, 'emit' | 'serverNow' | 'settlementMarginMs'>
  readonly #orders: TrackedOrders
  readonly #slices: OrderSlices

  /** `orders`: all tracked orders; `slices`: those of them sent in parts. */
  constructor(
    options: Pick<ExecutionOptions, 'emit' | 'serverNow' | 'settlementMarginMs'>,
    orders: TrackedOrders,
    slices: OrderSlices,
  ) {
    this.#options = options
    this.#orders = orders
    this.#slices = slices
  }

  /**
   * Marks an order whose placement got no answer; its absence proves nothing until the exchange can no longer
   * accept it.
   */
  markUnknown(order: TrackedOrder, error: UnknownOutcomeError): void {
    order.absentAfter = error.acceptableUntil + this.#options.settlementMarginMs
    this.update(order, 'outcomeLost', { reason: error.message })
  }

  /** Marks an order whose placement was sent before a restart and whose answer was lost. */
  markUnknownAtRestart(order: TrackedOrder): void {
    this.update(order, 'outcomeLost', { reason: 'The bot ended before the exchange answered.' })
  }

  /** Notes the exchange's id of an order that it has accepted. */
  confirm(order: TrackedOrder, exchangeOrderId: string): void {
    order.exchangeOrderId = exchangeOrderId
    this.update(order, 'accepted', { exchangeOrderId })
  }

  /** Ends an order that its fills have completed; an order sent in parts ends with the last of them. */
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

  /**
   * The reason of an own cancel is more precise than the exchange's; and a partially filled order cannot have
   * been rejected.
   */
  endAs(order: TrackedOrder, ending: 'canceled' | 'expired' | 'rejected', said: string): void {
    const possible = ending === 'rejected' && order.booked > 0 ? 'expired' : ending
    const { event, reason } =
      possible === 'canceled' ? cancellationFor(order.cancelCause) : { event: possible, reason: said }
    this.end(order, event, reason ?? said)
  }

  end(order: TrackedOrder, event: 'canceled' | 'expired' | 'rejected' | 'notPlaced', reason: string): void {
    this.#orders.remove(order)
    this.update(order, event, { reason })
  }

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
