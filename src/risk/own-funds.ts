import { bookOf } from '../domain/book-names.ts'
import { type Amount, add, subtract, times, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf, steps } from '../domain/numbers/grid.ts'
import { openQuantityOf } from '../domain/orders/order.ts'
import type { Side } from '../domain/orders/side.ts'
import type { RiskView } from './risk-view.ts'

/** Input of the own funds computation. */
type OwnFundsView = Pick<RiskView, 'instrument' | 'markets' | 'own' | 'working'>

/**
 * Cost in quote of buying back the short positions of the instrument's account at the latest prices, fees
 * included; this amount is reserved.
 */
export function buyBackCost(view: OwnFundsView): Amount {
  const { instrument, markets } = view
  let cost = ZERO
  for (const { instrument: other, short, price } of markets) {
    if (short === 0 || price === undefined) continue
    if (other.accountType !== instrument.accountType || other.quote !== instrument.quote) continue
    const isOwn = other.symbol === instrument.symbol
    const kept = isOwn ? short - view.own.short + reducing(view, 'buy', view.own.short) : short
    const notional = notionalOf(other, price, steps(kept))
    cost = add(
      cost,
      other.fees.paidIn === 'quote' ? add(notional, times(notional, other.fees.taker)) : notional,
    )
  }
  return cost
}

/**
 * Base of the instrument's account available to a new sale: less long positions of others, pending exits, and
 * resting sales.
 */
export function sellableBase(view: OwnFundsView & Pick<RiskView, 'ownedBase'>): Amount {
  const { instrument, markets, working } = view
  let sellable = view.ownedBase
  for (const { instrument: other, long } of markets) {
    if (other.accountType !== instrument.accountType || other.base !== instrument.base) continue
    const isOwn = other.symbol === instrument.symbol
    const kept = isOwn ? long - view.own.long + reducing(view, 'sell', view.own.long) : long
    sellable = subtract(sellable, baseAmount(other, steps(kept)))
    for (const order of working) {
      const { symbol, side, reduceOnly } = order.request
      if (symbol === other.symbol && side === 'sell' && !reduceOnly)
        sellable = subtract(sellable, baseAmount(other, openQuantityOf(order)))
    }
  }
  return sellable
}

/**
 * Steps of an own position closed by pending exits and protective orders; a resting order of that side nets
 * with the remainder.
 */
function reducing({ own, working }: OwnFundsView, side: Side, held: number): number {
  let closing = 0
  for (const order of working) {
    const { request } = order
    if (request.reduceOnly && request.side === side && own.books.includes(bookOf(request)))
      closing += openQuantityOf(order)
  }
  return Math.min(held, closing)
}
