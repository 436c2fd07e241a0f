import type { Amount, Rate } from '../numbers/amount.ts'
import type { Ticks } from '../numbers/grid.ts'

/** What one position paid or received at one settlement of funding. */
export interface FundingPayment {
  /** What the exchange knows it by, where it says; what is seen twice is booked once. */
  readonly id?: string
  readonly symbol: string
  /** What the position is held in. */
  readonly book: string
  /** Quote paid if positive, received if negative. */
  readonly amount: Amount
  /** A fraction of the position's worth; longs pay a positive one to shorts. */
  readonly rate: Rate
  /** Mark price of the settlement. */
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
}
