import {
  type Amount,
  absolute,
  add,
  amountOf,
  amountToText,
  negate,
  ZERO,
} from '../../../../src/domain/numbers/amount.ts'
import { notionalOf } from '../../../../src/domain/numbers/grid.ts'
import type { TransactionType } from '../../../../src/simulator/futures/transaction.ts'
import { contractsOf, knownFutures, type Rest, type Violation } from '../scene.ts'
import { lotsOf } from './held-lots.ts'
import { isTradedByOthers } from './liquidations-booked-once.ts'

/** Shares of an average price are cut off at 10^-18 at each closing. */
const DUST = amountOf('0.000000000001')
/** What trading and takeovers bring and cost. */
const OF_TRADING: ReadonlySet<TransactionType> = new Set([
  'openingFee',
  'closingFee',
  'closingProfit',
  'lossShare',
])

/**
 * Of all contracts together: what round trips earned, and what the open lots cost, is what the exchange's own list of
 * transactions says, with what its open positions cost. Lots close first in, first out, the exchange at average prices;
 * together with what is open both come to the same.
 */
export function contractProfitAgrees(rest: Rest): readonly Violation[] {
  const { roundTrips, events = [], ledger } = rest
  const futures = knownFutures(rest)
  const contracts = contractsOf(rest)
  if (futures === undefined || roundTrips === undefined) return []
  const symbols = contracts.map(({ symbol }) => symbol)
  // What a halted contract brought was taken over as it was found.
  const halted = new Set(events.flatMap(event => (event.type === 'instrumentHalted' ? [event.symbol] : [])))
  if (symbols.some(symbol => halted.has(symbol) || isTradedByOthers(rest, symbol))) return []
  const trips = roundTrips.filter(({ symbol }) => symbols.includes(symbol))
  const lots = lotsOf(ledger)
    .filter(({ symbol }) => symbols.includes(symbol))
    .map(({ symbol, price, quantity, fee, direction }) => {
      const cost = notionalOf(ledger.instrument(symbol), price, quantity)
      return add(direction === 'long' ? negate(cost) : cost, negate(fee))
    })
  const coins = new Set(contracts.map(({ quote }) => quote))
  const borne = [...coins].map(coin => ledger.contracts.borneLoss(coin))
  const booked = sum([...trips.map(({ pnl }) => pnl), ...lots, ...borne])
  const real = sum([
    ...[...futures.transactions.oldestFirst()]
      .filter(({ type }) => OF_TRADING.has(type))
      .map(({ amount }) => amount),
    ...futures.positions().map(({ direction, cost }) => (direction === 'long' ? negate(cost) : cost)),
  ])
  if (absolute(add(real, negate(booked))) <= DUST) return []
  const problem = `contracts came to ${amountToText(real)}, booked ${amountToText(booked)}`
  return [{ problem, about: symbols[0] ?? '' }]
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, amount) => add(all, amount), ZERO)
}
