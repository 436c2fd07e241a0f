import { type Amount, add, divide, times } from '../src/domain/amount.ts'
import { bookOf } from '../src/domain/book-names.ts'
import {
  baseAmount,
  baseFor,
  NO_STEPS,
  notionalOf,
  priceAmount,
  type Steps,
  steps,
  stepsWithin,
  type Ticks,
} from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { OrderRequest } from '../src/domain/order-request.ts'
import type { Ledger } from '../src/ledger/ledger.ts'

/**
 * The part of a fill that the account can pay for: a spot account buys with the quote it has and sells the base it
 * has; a reducing order closes at most what is held. A margin account borrows.
 */
export function affordable(
  ledger: Ledger,
  instrument: Instrument,
  request: OrderRequest,
  price: Ticks,
  wanted: Steps,
): Steps {
  const reducible = request.reduceOnly ? atMost(wanted, heldAgainst(ledger, request)) : wanted
  if (instrument.accountType === 'margin') return reducible
  const { base, quote } = instrument
  return request.side === 'sell'
    ? deliverable(ledger.balances.of(base), instrument, reducible)
    : payable(ledger.balances.of(quote), instrument, price, reducible)
}

/** As much of `wanted` as there is. Mostly that is all of it, which takes no division to find out; the same below. */
function deliverable(owned: Amount, instrument: Instrument, wanted: Steps): Steps {
  return baseAmount(instrument, wanted) <= owned ? wanted : stepsWithin(instrument, owned)
}

/** As much of `wanted` as `money` pays for, with the fee where that is taken from it. */
function payable(money: Amount, instrument: Instrument, price: Ticks, wanted: Steps): Steps {
  const { paidIn, taker } = instrument.fees
  if (paidIn !== 'quote' && notionalOf(instrument, price, wanted) <= money) return wanted
  if (paidIn !== 'quote') return atMost(wanted, stepsWithin(instrument, baseFor(instrument, money, price)))
  const unit = priceAmount(instrument, price)
  return atMost(wanted, stepsWithin(instrument, divide(money, add(unit, times(unit, taker)))))
}

function heldAgainst(ledger: Ledger, request: OrderRequest): Steps {
  const { side } = request
  const position = ledger.position(bookOf(request))
  return position === undefined || (position.direction === 'long') === (side === 'buy')
    ? NO_STEPS
    : position.quantity
}

function atMost(wanted: Steps, bound: Steps): Steps {
  return steps(Math.min(wanted, bound))
}
