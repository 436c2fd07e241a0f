import { bookOf, wholeBook } from '../../../src/domain/book-names.ts'
import type { Protection } from '../../../src/domain/signal.ts'
import type { ModelOrder, PathOrder } from '../model-order.ts'

/** An order of a forecast, and its effect on others once it trades. */
export interface ForecastOrder extends PathOrder {
  /** Its clientOrderId; of protection, that of its entry. */
  readonly id: string
  /** The entry that it protects. */
  readonly protects: string | undefined
  /** The protection that it brings. */
  readonly protection: Protection | undefined
  /** The group of entries of which one fills. */
  readonly group: string | undefined
  /** Book of the position that the order changes; `undefined` for a liquidation. */
  readonly book: string | undefined
}

/** True if an entry closes the same position as an exit: same side, same book. */
export function closesFor(entry: ForecastOrder, exit: ForecastOrder): boolean {
  if (!exit.reduceOnly || exit.isBuy !== entry.isBuy || entry.book === undefined) return false
  // With a long and a short position side by side (hedge mode), an entry closes no position that may be
  // liquidated.
  return exit.book === entry.book || (exit.book === undefined && wholeBook(entry.book) === entry.book)
}

/** A copy of a resting order that a forecast may change. */
export function forecastOrder(order: ModelOrder): ForecastOrder {
  const { request } = order
  return {
    isBuy: order.isBuy,
    reduceOnly: order.reduceOnly,
    rank: order.rank,
    liveAt: order.liveAt,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    stopPrice: order.stopPrice,
    touchPrice: order.touchPrice,
    triggeredInside: order.triggeredInside,
    isTriggered: order.isTriggered,
    limitPrice: order.limitPrice,
    isNew: order.isNew,
    trail: order.trail,
    id: request.clientOrderId,
    protects: request.protects,
    protection: request.protection,
    group: request.terms?.oco,
    book: bookOf(request),
  }
}
