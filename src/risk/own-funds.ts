import { bookOf } from '../domain/book-names.ts'
import type { Instrument } from '../domain/instrument.ts'
import { marketCap } from '../domain/market-data/market-cap.ts'
import { type Amount, add, subtract, times, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf, priceOf, steps, type Ticks, ticks } from '../domain/numbers/grid.ts'
import { openQuantityOf } from '../domain/orders/order.ts'
import type { Side } from '../domain/orders/side.ts'
import { stopLossPrice } from '../domain/protection-level.ts'
import { expectedPrice } from '../ledger/reservation.ts'
import type { SizedDraft } from './risk-check.ts'
import type { RiskView } from './risk-view.ts'
import { stopOnGrid } from './to-grid.ts'

/** Input of the own funds computation. */
type OwnFundsView = Pick<RiskView, 'instrument' | 'markets' | 'own' | 'working'>

/**
 * Cost in quote of buying back the short positions of the instrument's account, fees included; this amount is
 * reserved. A short costs its latest price, or what its highest stop-loss may trade at if that is more.
 */
export function buyBackCost(view: OwnFundsView): Amount {
  const { instrument, markets, working } = view
  let cost = ZERO
  for (const { instrument: other, short, price } of markets) {
    if (short === 0 || price === undefined) continue
    if (other.accountType !== instrument.accountType || other.quote !== instrument.quote) continue
    const isOwn = other.symbol === instrument.symbol
    const kept = isOwn ? short - view.own.short + reducing(view, 'buy', view.own.short) : short
    let worst = price
    for (const { request } of working) {
      const { symbol, side, purpose, spec } = request
      if (symbol !== other.symbol || side !== 'buy' || purpose !== 'stopLoss') continue
      worst = ticks(Math.max(worst, worstBuyPrice(other, expectedPrice(spec, price))))
    }
    cost = add(cost, withFee(other, notionalOf(other, worst, steps(kept))))
  }
  return cost
}

/** Quote that a short entry needs for its way out. */
export interface WayOut {
  /** Cost of buying back what it opens, slippage and fees included. */
  readonly cost: Amount
  /** Quote that its sale brings, fees deducted, and with it that of closes at market which are under way. */
  readonly proceeds: Amount
  /** Price of its stop-loss; `undefined` without one, where the price of the entry counts. */
  readonly stopPrice: Ticks | undefined
}

/** The way out of a sale that opens a short; `undefined` of one that only closes what the strategy is long. */
export function wayOutOf(draft: SizedDraft, view: OwnFundsView): WayOut | undefined {
  const { instrument, own, working } = view
  const netted = own.long - reducing(view, 'sell', own.long)
  const opened = steps(Math.max(0, draft.quantity - netted))
  if (opened === 0) return undefined
  const price = expectedPrice(draft.spec, draft.referencePrice)
  const stop = stopLossPrice(draft.protection ?? {}, 'short', priceOf(instrument, price))
  const stopPrice = stop === undefined ? undefined : stopOnGrid(instrument, 'buy', stop)
  let sold = notionalOf(instrument, price, draft.quantity)
  for (const order of working) {
    const { symbol, side, reduceOnly, spec } = order.request
    if (symbol === instrument.symbol && side === 'sell' && reduceOnly && spec.type === 'market')
      sold = add(sold, notionalOf(instrument, draft.referencePrice, openQuantityOf(order)))
  }
  const worst = worstBuyPrice(instrument, stopPrice ?? price)
  return {
    cost: withFee(instrument, notionalOf(instrument, worst, opened)),
    proceeds: subtract(sold, times(sold, instrument.fees.taker)),
    stopPrice,
  }
}

/** Highest price of a buy at market that is expected at a price. */
export function worstBuyPrice(instrument: Instrument, expected: Ticks): Ticks {
  const { maxSlippageRate } = instrument
  return maxSlippageRate === undefined ? expected : marketCap(instrument, expected, 'buy', maxSlippageRate)
}

/** Quote that a buy takes: with the fee, unless that is taken from the base. */
function withFee({ fees }: Instrument, notional: Amount): Amount {
  return fees.paidIn === 'quote' ? add(notional, times(notional, fees.taker)) : notional
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
