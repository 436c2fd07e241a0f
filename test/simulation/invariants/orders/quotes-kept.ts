import { bookOf } from '../../../../src/domain/book-names.ts'
import { priceOf, quantityOf, ticks } from '../../../../src/domain/numbers/grid.ts'
import type { Order } from '../../../../src/domain/orders/order.ts'
import { openQuantityOf } from '../../../../src/domain/orders/order.ts'
import type { Side } from '../../../../src/domain/orders/side.ts'
import { setOf } from '../past.ts'
import type { Moment, Violation } from '../scene.ts'

/** By which part of its quantity a quote that rests may differ from what is declared, where nobody says so. */
const TOLERANCE = 0.01

/** Every quote that rests and is not being taken back is one that was declared last, and no larger; none rests twice. */
export function quotesKept({ ledger, after }: Moment): readonly Violation[] {
  const taken = new Set<string>()
  return ledger.orders.working.flatMap(order => {
    const { request } = order
    const { clientOrderId: about, terms, strategy, symbol, side } = request
    if (terms?.quotes === undefined || after.canceled.has(about)) return []
    const set = setOf(strategy, symbol, terms.quotes)
    const { quotes = [], tolerance = TOLERANCE } = after.quotes.get(set) ?? {}
    const { price, quantity } = restOf(order, ledger)
    const place = quotes.findIndex(
      (quote, index) =>
        !taken.has(`${set} ${index}`) &&
        quote.side === side &&
        isOnGrid(side, quote.price, price, priceOf(ledger.instrument(symbol), ticks(1))) &&
        (!('base' in quote.size) || quantity <= quote.size.base * (1 + tolerance)),
    )
    taken.add(`${set} ${place}`)
    if (place >= 0) return []
    return [{ problem: `quote ${about} of ${bookOf(request)} rests, but is not declared`, about }]
  })
}

function restOf(
  order: Order,
  ledger: Moment['ledger'],
): { readonly price: number; readonly quantity: number } {
  const { spec, symbol } = order.request
  const instrument = ledger.instrument(symbol)
  const price = spec.type === 'limit' ? priceOf(instrument, spec.price) : Number.NaN
  return { price, quantity: quantityOf(instrument, openQuantityOf(order)) }
}

/** Whether a price is what a wish comes to, away from the market and by less than a tick. */
function isOnGrid(side: Side, wish: number, price: number, tick: number): boolean {
  const away = side === 'buy' ? wish - price : price - wish
  return away > -1e-9 && away < tick
}
