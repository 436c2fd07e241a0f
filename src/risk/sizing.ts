import { rulesOf } from '../domain/account-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import {
  type Amount,
  absolute,
  add,
  amountFromNumber,
  divide,
  ONE_RATE,
  rateFromNumber,
  smaller,
  subtract,
  times,
} from '../domain/numbers/amount.ts'
import {
  baseAmount,
  baseFor,
  clearSteps,
  priceAmount,
  priceOf,
  roundToSteps,
  type Steps,
  stepsWithin,
  type Ticks,
  unitsPerStep,
} from '../domain/numbers/grid.ts'
import type { Side } from '../domain/orders/side.ts'
import type { Size } from '../domain/signal.ts'
import type { RiskView } from './risk-view.ts'

/** Input of an order's quantity besides its size. */
export interface SizingInput {
  readonly side: Side
  /** Expected price of the order. */
  readonly price: Ticks
  /** Price of the trade that loses most until its stop-loss; default: `price`. */
  readonly riskPrice?: Ticks | undefined
  /** Price of its stop-loss, for `riskFraction`. */
  readonly stopPrice?: Ticks | undefined
}

/** Parts of the account that a size may depend on. */
export type SizingAccount = Pick<RiskView, 'instrument' | 'equity' | 'freeQuote'>

/** Base units for a size (of contracts as well: leverage changes no size), exact and not yet on the grid; `undefined` for a `riskFraction` without a stop-loss away from the price. */
export function sizeToBase(
  size: Size,
  { side, price, riskPrice = price, stopPrice }: SizingInput,
  view: SizingAccount,
): Amount | undefined {
  const { instrument } = view
  if ('base' in size) return amountFromNumber(size.base)
  if ('quote' in size) return baseFor(instrument, amountFromNumber(size.quote), price)
  const { equity } = view
  if ('equityFraction' in size) return shareOfEquity(equity, size.equityFraction, side, price, view)
  const { riskFraction, maxEquityFraction } = size
  const base = atRisk(times(equity, rateFromNumber(riskFraction)), instrument, riskPrice, stopPrice)
  return base === undefined || maxEquityFraction === undefined
    ? base
    : smaller(base, shareOfEquity(equity, maxEquityFraction, side, price, view))
}

/** Whole steps of an order of a size: those of `sizeToBase` by `roundToSteps`. */
export function sizeToSteps(size: Size, input: SizingInput, view: SizingAccount): Steps | undefined {
  const { instrument } = view
  if (!('equityFraction' in size)) {
    const base = sizeToBase(size, input, view)
    return base === undefined ? undefined : roundToSteps(instrument, base)
  }
  const { equity } = view
  const { equityFraction } = size
  return (
    clearShareOfEquity(equity, equityFraction, input, view) ??
    roundToSteps(instrument, shareOfEquity(equity, equityFraction, input.side, input.price, view))
  )
}

/**
 * Steps bought with a fraction of equity, by doubles, which need no division of bigints; `undefined` where their errors may decide,
 * and where the free quote may bound the order. A dozen roundings, and that of a price with its fee in `sizeToBase`, make an error of
 * less than 2^-48 of the steps; what else `sizeToBase` rounds off is less than 10^-9 of a step.
 */
function clearShareOfEquity(
  equity: Amount,
  fraction: number,
  { side, price }: SizingInput,
  view: SizingAccount,
): Steps | undefined {
  const { instrument } = view
  const { paidIn, taker } = instrument.fees
  const money = (Number(equity) * Number(rateFromNumber(fraction))) / UNITS_PER_ONE
  const isBound = side === 'buy' && rulesOf(instrument).boundBy === 'balance'
  if (isBound && !(Number(view.freeQuote) > money * CLEARLY_MORE + 1)) return undefined
  const perMoney = 1 / priceOf(instrument, price)
  const step = unitsPerStep(instrument)
  if (perMoney + 1 > step * 1e-9 || perMoney > 1e3) return undefined
  const withFee = paidIn === 'quote' ? 1 + Number(taker) / UNITS_PER_ONE : 1
  return clearSteps((money * perMoney) / (withFee * step))
}

const UNITS_PER_ONE = Number(ONE_RATE)
const CLEARLY_MORE = 1 + 2 ** -48

/**
 * Base bought with a fraction of equity, fee included; at most the free quote if the account cannot borrow.
 */
function shareOfEquity(
  equity: Amount,
  fraction: number,
  side: Side,
  price: Ticks,
  view: SizingAccount,
): Amount {
  const { instrument } = view
  const money = times(equity, rateFromNumber(fraction))
  return side === 'buy' && rulesOf(instrument).boundBy === 'balance' && view.freeQuote <= money
    ? baseAmount(instrument, payable(view.freeQuote, price, instrument))
    : baseOfMoney(money, price, instrument)
}

/** The most whole steps that `money` buys, fee included. */
function payable(money: Amount, price: Ticks, instrument: Instrument): Steps {
  return stepsWithin(instrument, baseOfMoney(money, price, instrument))
}

/** Base that `money` buys, fee included. */
function baseOfMoney(money: Amount, price: Ticks, instrument: Instrument): Amount {
  const { paidIn, taker } = instrument.fees
  if (paidIn !== 'quote') return baseFor(instrument, money, price)
  const unit = priceAmount(instrument, price)
  return divide(money, add(unit, times(unit, taker)))
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
