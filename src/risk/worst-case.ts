import { bookOf } from '../domain/book-names.ts'
import { type Amount, add, ZERO } from '../domain/numbers/amount.ts'
import { notionalOf, steps, type Ticks, ticks } from '../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../domain/orders/order.ts'
import type { OrderDraft } from '../domain/orders/order-request.ts'
import type { Side } from '../domain/orders/side.ts'
import { expectedPrice } from '../ledger/reservation.ts'
import type { RiskMarketView } from './risk-view.ts'

const SIDES: readonly Side[] = ['buy', 'sell']

/**
 * Largest possible position in steps on the side of a draft: the position there, plus the draft and all
 * working orders of that side. Opposite orders are not netted, since an exit may close them first.
 */
export function worstSteps(market: RiskMarketView, working: readonly Order[], draft: OrderDraft): number {
  const { side } = draft
  let worst = heldOn(side, market) + draft.quantity
  for (const order of working) {
    if (grows(order.request, side, market)) worst += openQuantityOf(order)
  }
  return worst
}

/**
 * The same as notional in quote, on the worse of both sides: the position at `price`, every order at its own
 * price if that is higher. Throws if a held position has no price.
 */
export function worstWorth(market: RiskMarketView, working: readonly Order[], draft?: OrderDraft): Amount {
  let worst = ZERO
  for (const side of SIDES) {
    const worth = worthOn(side, market, working, draft)
    if (worth > worst) worst = worth
  }
  return worst
}

function worthOn(side: Side, market: RiskMarketView, working: readonly Order[], draft?: OrderDraft): Amount {
  const { instrument } = market
  const held = heldOn(side, market)
  let worth = held === 0 ? ZERO : notionalOf(instrument, priceOf(market), steps(held))
  const orders = working.map(({ request, filledQuantity }) => ({
    ...request,
    open: request.quantity - filledQuantity,
  }))
  const drafted = draft === undefined ? [] : [{ ...draft, open: draft.quantity }]
  for (const order of [...orders, ...drafted]) {
    if (!grows(order, side, market)) continue
    const own = expectedPrice(order.spec, order.referencePrice)
    const price = ticks(Math.max(own, market.price ?? own))
    worth = add(worth, notionalOf(instrument, price, steps(order.open)))
  }
  return worth
}

function heldOn(side: Side, { long, short }: RiskMarketView): number {
  return side === 'buy' ? long : short
}

function grows(
  order: Pick<OrderDraft, 'symbol' | 'book' | 'side' | 'reduceOnly'>,
  side: Side,
  { instrument, books }: RiskMarketView,
): boolean {
  if (order.side !== side || order.reduceOnly || order.symbol !== instrument.symbol) return false
  return books === undefined || books.includes(bookOf(order))
}

function priceOf({ instrument, price }: RiskMarketView): Ticks {
  if (price !== undefined) return price
  throw new RangeError(`There is no price yet for what is held of ${instrument.symbol}.`)
}
