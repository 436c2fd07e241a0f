import type { Amount, Rate } from '../numbers/amount.ts'
import type { Ticks } from '../numbers/grid.ts'

/** Funding that one position paid or received at one settlement. */
export interface FundingPayment {
  /** The exchange's id, if it gives one; a payment received twice is booked once. */
  readonly id?: string
  readonly symbol: string
  /** Book of the position. */
  readonly book: string
  /** Quote paid if positive, received if negative. */
  readonly amount: Amount
  /** Fraction of the notional; longs pay a positive rate to shorts. */
  readonly rate: Rate
  /** Mark price of the settlement. */
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
  /**
   * True if the exchange does not list its payments: this one is a change of the wallet that position and funding
   * rate explain.
   */
  readonly derived?: true
}
