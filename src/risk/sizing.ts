import {
  type Amount,
  absolute,
  add,
  amountFromNumber,
  divide,
  rateFromNumber,
  smaller,
  subtract,
  times,
} from '../domain/amount.ts'
import { baseFor, priceAmount, type Ticks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Side } from '../domain/side.ts'
import type { Size } from '../domain/signal.ts'
import type { RiskView } from './risk-view.ts'

/** What an order's quantity depends on beside its size. */
export interface SizingInput {
  readonly side: Side
  /** Where the order is expected to trade. */
  readonly price: Ticks
  /** Where its stop-loss is, for `riskFraction`. */
  readonly stopPrice?: Ticks | undefined
}

/** What a size may depend on of the account. */
export type SizingAccount = Pick<RiskView, 'instrument' | 'equity' | 'freeQuote'>

/** Base units for a size (of contracts as well: leverage changes no size), exact and not yet on the grid; `undefined` for a `riskFraction` without a stop-loss away from the price. */
export function sizeToBase(
  size: Size,
  { side, price, stopPrice }: SizingInput,
  view: SizingAccount,
): Amount | undefined {
  const { instrument } = view
  if ('base' in size) return amountFromNumber(size.base)
  if ('quote' in size) return baseFor(instrument, amountFromNumber(size.quote), price)
  if ('equityFraction' in size)
    return affordable(times(view.equity, rateFromNumber(size.equityFraction)), side, price, view)
  return atRisk(times(view.equity, rateFromNumber(size.riskFraction)), instrument, price, stopPrice)
}

/** Base that `money` buys, fee included; of an account that cannot borrow at most what is free. */
function affordable(money: Amount, side: Side, price: Ticks, view: SizingAccount): Amount {
  const { instrument } = view
  const isBound = side === 'buy' && (instrument.accountType === 'spot' || instrument.ownFundsOnly === true)
  const spendable = isBound ? smaller(money, view.freeQuote) : money
  const { paidIn, taker } = instrument.fees
  if (paidIn !== 'quote') return baseFor(instrument, spendable, price)
  const unit = priceAmount(instrument, price)
  return divide(spendable, add(unit, times(unit, taker)))
}

/** Base that loses `money` between price and stop: money ÷ |price - stop|. */
function atRisk(
  money: Amount,
  instrument: Instrument,
  price: Ticks,
  stopPrice: Ticks | undefined,
): Amount | undefined {
  if (stopPrice === undefined || stopPrice === price) return undefined
  const distance = absolute(subtract(priceAmount(instrument, price), priceAmount(instrument, stopPrice)))
  return divide(money, distance)
}
