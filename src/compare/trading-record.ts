import { bookOf } from '../domain/book-names.ts'
import type { Notice, TradingStateChanged } from '../domain/events/engine-output.ts'
import type { FundingPayment } from '../domain/events/funding-payment.ts'
import type { Steps, Ticks } from '../domain/numbers/grid.ts'
import type { Denial } from '../domain/orders/denial.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { Order } from '../domain/orders/order.ts'
import type { OrderFields } from '../domain/orders/order-intent.ts'
import type { OrderSpec } from '../domain/orders/order-request.ts'
import type { OrderStatus } from '../domain/orders/order-status.ts'
import type { RoundTrip } from '../domain/round-trip.ts'

/** A fill, and the price before the losses that a fill model takes; live there is none. */
export interface RecordedFill extends Fill {
  readonly priceBeforeSlippage?: Ticks
}

/** An order with what became of it. */
export interface RecordedOrder {
  /** With the quantity that it has now, which is another than at first where its position grew or shrank. */
  request: OrderFields & { readonly spec: OrderSpec; readonly quantity: Steps }
  readonly book: string
  readonly fills: RecordedFill[]
  status: OrderStatus
  reason: string | undefined
}

/** Orders, denials, holds, funding and round trips of one run, from the notices of its engine. */
export class TradingRecord {
  readonly orders = new Map<string, RecordedOrder>()
  readonly denials: Denial[] = []
  /** Every change of what holds trading back, oldest first. */
  readonly holds: TradingStateChanged[] = []
  readonly fundings: FundingPayment[] = []
  readonly trips: RoundTrip[] = []

  /** Takes a notice. */
  take(notice: Notice): void {
    switch (notice.type) {
      case 'orderChanged':
        this.#note(notice.order)
        break
      case 'fillBooked':
        this.#note(notice.order).fills.push(notice.fill)
        break
      case 'denied':
        this.denials.push(notice.denial)
        break
      case 'tradingStateChanged':
        this.holds.push(notice)
        break
      case 'fundingBooked':
        this.fundings.push(notice.payment)
        break
      case 'roundTripClosed':
        this.trips.push(notice.roundTrip)
        break
      default:
    }
  }

  /** Takes a change of the quantity of an order. */
  resize(clientOrderId: string, quantity: Steps): void {
    const order = this.orders.get(clientOrderId)
    if (order !== undefined) order.request = { ...order.request, quantity }
  }

  #note({ request, status, reason }: Order): RecordedOrder {
    const known = this.orders.get(request.clientOrderId)
    if (known !== undefined) {
      known.request = request
      known.status = status
      known.reason = reason
      return known
    }
    const order = { request, book: bookOf(request), fills: [], status, reason }
    this.orders.set(request.clientOrderId, order)
    return order
  }
}
