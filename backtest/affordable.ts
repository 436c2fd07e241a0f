import { add, divide, times, ZERO } from '../src/domain/amount.ts'
import { NO_STEPS, priceAmount, type Steps, steps, stepsWithin, type Ticks } from '../src/domain/grid.ts'
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
  const { base, quote, fees } = instrument
  if (request.side === 'sell') return atMost(reducible, stepsWithin(instrument, ledger.balances.of(base)))
  const unit = priceAmount(instrument, price)
  const fee = fees.paidIn === 'quote' ? times(unit, fees.taker) : ZERO
  return atMost(reducible, stepsWithin(instrument, divide(ledger.balances.of(quote), add(unit, fee))))
}

function heldAgainst(ledger: Ledger, { symbol, side }: OrderRequest): Steps {
  const position = ledger.position(symbol)
  return position === undefined || (position.direction === 'long') === (side === 'buy')
    ? NO_STEPS
    : position.quantity
}

function atMost(wanted: Steps, bound: Steps): Steps {
  return steps(Math.min(wanted, bound))
}
