import { bookOf } from '../../../../src/domain/book-names.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import type { Moment, Violation } from '../scene.ts'

/**
 * A decision to enter at market adds no entry to one that is on its way, unless it scales in, and none to a position
 * that an exit at market is still closing.
 */
export function entersOnce({ decisions, ledger }: Moment): readonly Violation[] {
  return decisions.flatMap((decision, place) => {
    if (decision.type !== 'placeOrder' || !isMarketEntry(decision.request)) return []
    const { request } = decision
    const { clientOrderId: about, strategy, symbol, side } = request
    const signals = decisions.flatMap(other =>
      other.type === 'signaled' && other.strategy === strategy && other.symbol === symbol
        ? [other.signal]
        : [],
    )
    // An entry without a signal in this event comes from an earlier decision, which waited; targets count orders on their way.
    if (!signals.some(({ type }) => type === 'enter') || signals.some(({ type }) => type === 'target'))
      return []
    const scalesIn = signals.some(signal => signal.type === 'enter' && signal.scaleIn === true)
    const book = bookOf(request)
    const later = new Set(
      decisions.slice(place).flatMap(one => (one.type === 'placeOrder' ? [one.request.clientOrderId] : [])),
    )
    const beside = ledger.orders.working.filter(
      ({ request: other, filledQuantity }) =>
        bookOf(other) === book && filledQuantity === 0 && !later.has(other.clientOrderId),
    )
    const isPlaced = (other: OrderRequest) =>
      decisions.some(one => one.type === 'placeOrder' && one.request.clientOrderId === other.clientOrderId)
    const isDouble = beside.some(
      ({ request: other }) => isMarketEntry(other) && other.side === side && !isPlaced(other),
    )
    const leaving = beside
      .filter(
        ({ request: { reduceOnly, spec, side: other } }) =>
          reduceOnly && spec.type === 'market' && other !== side,
      )
      .reduce((sum, { request: { quantity } }) => sum + quantity, 0)
    const held = ledger.position(book)?.quantity ?? 0
    return [
      ...(isDouble && !scalesIn
        ? [{ problem: `entry ${about} of ${book} is another one on its way`, about }]
        : []),
      ...(held > 0 && leaving >= held
        ? [{ problem: `entry ${about} of ${book} goes beside the exit of its position`, about }]
        : []),
    ]
  })
}

function isMarketEntry({ purpose, spec }: OrderRequest): boolean {
  return purpose === 'entry' && spec.type === 'market'
}
