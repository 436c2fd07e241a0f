import { rulesOf } from '../../src/domain/account-rules.ts'
import { bookOf } from '../../src/domain/book-names.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Amount, add, divide, times, ZERO } from '../../src/domain/numbers/amount.ts'
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
} from '../../src/domain/numbers/grid.ts'
import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import { orderMargin } from '../../src/ledger/contract-margin.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { reservedBy } from '../../src/ledger/reservation.ts'

const ONE_STEP = steps(1)

/**
 * The part of a fill that the account can pay for. A spot account buys with its free quote and sells its
 * base, and so does a margin account that trades own funds; other margin accounts borrow. A reducing order
 * closes at most the position. A futures account needs the margin and the largest taker fee; a limit order
 * reserved both when it was placed.
 */
export function affordable(
  ledger: Ledger,
  instrument: Instrument,
  request: OrderRequest,
  price: Ticks,
  wanted: Steps,
): Steps {
  const reducible = request.reduceOnly ? atMost(wanted, heldAgainst(ledger, request)) : wanted
  const { boundBy } = rulesOf(instrument)
  if (boundBy === 'leverage') return reducible
  if (boundBy === 'margin')
    return request.reduceOnly || request.spec.type === 'limit'
      ? reducible
      : backed(ledger, instrument, request, price, reducible)
  const { base, quote, accountType } = instrument
  const owned = ledger.balances.in(accountType)
  return request.side === 'sell'
    ? deliverable(owned.of(base), instrument, reducible)
    : payable(owned.of(quote), instrument, price, reducible)
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

/** Number of contracts backed by the free balance and the order's own reserve. */
function backed(
  ledger: Ledger,
  instrument: Instrument,
  request: OrderRequest,
  price: Ticks,
  wanted: Steps,
): Steps {
  const order = ledger.orders.get(request.clientOrderId)
  const own = order === undefined ? ZERO : reservedBy(instrument, order, instrument.quote)
  const free = add(ledger.free(instrument.quote, instrument.accountType), own)
  if (orderMargin(instrument, notionalOf(instrument, price, wanted)) <= free) return wanted
  const perContract = orderMargin(instrument, notionalOf(instrument, price, ONE_STEP))
  return free <= ZERO ? NO_STEPS : atMost(wanted, steps(Number(free / perContract)))
}

function heldAgainst(ledger: Ledger, request: OrderRequest): Steps {
  const position = ledger.position(bookOf(request))
  return position === undefined || (position.direction === 'long') === (request.side === 'buy')
    ? NO_STEPS
    : position.quantity
}

function atMost(wanted: Steps, bound: Steps): Steps {
  return steps(Math.min(wanted, bound))
}
