import { type Amount, add, amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { RoundTripTally } from './round-trip-tally.ts'

/** All round trips together. Money in quote, added up exactly and then the nearest double. */
export interface RoundTripTotals {
  readonly count: number
  readonly wins: number
  readonly losses: number
  /** Sum of the profits above 0. */
  readonly profit: number
  /** Sum of the profits below 0. */
  readonly loss: number
  /** Sum of all profits. */
  readonly netProfit: number
  /** Sum of all profits before fees. */
  readonly grossProfit: number
  readonly fees: Amount
}

/** Adds up tallies. */
export function totalsOf(tallies: readonly RoundTripTally[]): RoundTripTotals {
  const count = (of: (tally: RoundTripTally) => number) => tallies.reduce((sum, tally) => sum + of(tally), 0)
  const money = (of: (tally: RoundTripTally) => Amount) =>
    tallies.reduce((sum, tally) => add(sum, of(tally)), ZERO)
  const [profit, loss, fees] = [
    money(tally => tally.profit),
    money(tally => tally.loss),
    money(tally => tally.fees),
  ]
  const netProfit = add(profit, loss)
  return {
    count: count(tally => tally.count),
    wins: count(({ wins }) => wins),
    losses: count(({ losses }) => losses),
    profit: amountToNumber(profit),
    loss: amountToNumber(loss),
    netProfit: amountToNumber(netProfit),
    grossProfit: amountToNumber(add(netProfit, fees)),
    fees,
  }
}
