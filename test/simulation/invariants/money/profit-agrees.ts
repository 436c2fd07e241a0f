import { bookOf } from '../../../../src/domain/book-names.ts'
import type { Instrument } from '../../../../src/domain/instrument.ts'
import { type Amount, add, amountToText, subtract, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, notionalOf, worthOf } from '../../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../../src/domain/round-trip.ts'
import { isOwn, pairsOf, type Rest, type Violation } from '../scene.ts'

/**
 * Per instrument: what was closed was sold for what the exchange paid, and cost what it charged; what was bought and is
 * neither sold nor paid as a fee is held, in whole steps or as dust, to the last digit. Only of the spot account, which
 * cannot be short.
 */
export function profitAgrees(rest: Rest): readonly Violation[] {
  const { roundTrips } = rest
  if (roundTrips === undefined) return []
  const onSpot = pairsOf(rest).filter(({ accountType }) => accountType === 'spot')
  return onSpot.flatMap(instrument => {
    const { symbol } = instrument
    const real = realOf(rest, instrument)
    const booked = bookedOf(rest, roundTrips, instrument)
    const problems = [
      different('sold for', real.sold, booked.sold),
      different('fees', real.fees, booked.fees),
      different('profit', booked.profit, subtract(subtract(booked.sold, booked.bought), booked.closedFees)),
      different('bought less base fees', real.quantity, booked.quantity),
    ]
    return problems.flat().map(problem => ({ problem: `${symbol}: ${problem}`, about: symbol }))
  })
}

function different(what: string, real: Amount, booked: Amount): readonly string[] {
  return real === booked ? [] : [`${what} ${amountToText(real)}, booked ${amountToText(booked)}`]
}

/** In the steps and ticks of the exchange, in which the bot need not count: what is booked of it is told in its own. */
function realOf(rest: Rest, { symbol, base }: Instrument) {
  let [sold, fees, quantity] = [ZERO, ZERO, ZERO]
  for (const { order, execution, fee, feeAsset } of rest.user.history.trades()) {
    const { instrument } = order
    if (instrument.symbol !== symbol || !isOwn(rest, order.clientOrderId)) continue
    const isInBase = feeAsset === base
    if (isInBase) fees = add(fees, worthOf(instrument, execution.price, fee))
    // A fee in a third asset is no cost of a round trip: the balance of that asset tells it.
    else if (feeAsset === instrument.quote) fees = add(fees, fee)
    if (order.side === 'sell') sold = add(sold, notionalOf(instrument, execution.price, execution.quantity))
    else quantity = add(quantity, baseAmount(instrument, execution.quantity))
    if (isInBase) quantity = subtract(quantity, fee)
  }
  return { sold, fees, quantity }
}

function bookedOf({ ledger }: Rest, roundTrips: readonly RoundTrip[], instrument: Instrument) {
  let [sold, bought, closedFees, profit, quantity] = [ZERO, ZERO, ZERO, ZERO, ZERO]
  for (const trip of roundTrips) {
    if (trip.symbol !== instrument.symbol) continue
    sold = add(sold, notionalOf(instrument, trip.exitPrice, trip.quantity))
    bought = add(bought, notionalOf(instrument, trip.entryPrice, trip.quantity))
    closedFees = add(closedFees, trip.fees)
    profit = add(profit, trip.pnl)
    quantity = add(quantity, baseAmount(instrument, trip.quantity))
  }
  const requests = ledger.orders.remembered.map(({ request }) => request)
  const books = [...new Set(requests.filter(({ symbol }) => symbol === instrument.symbol).map(bookOf))]
  const lots = books.flatMap(book => ledger.position(book)?.lots ?? [])
  let fees = closedFees
  for (const lot of lots) {
    fees = add(fees, lot.fee)
    quantity = add(quantity, baseAmount(instrument, lot.quantity))
  }
  for (const { symbol, holding } of ledger.snapshot().books) {
    if (symbol !== instrument.symbol) continue
    fees = add(fees, holding.dustFee ?? ZERO)
    quantity = add(quantity, holding.dust)
  }
  return { sold, bought, closedFees, fees, profit, quantity }
}
