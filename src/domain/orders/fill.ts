import type { Amount } from '../numbers/amount.ts'
import type { Steps, Ticks } from '../numbers/grid.ts'
import type { Side } from './side.ts'

/** Maker: the order rested on the book; taker: it took from the book. */
export type Liquidity = 'maker' | 'taker'

/** One execution of one of our orders. */
export interface Fill {
  /** Unique per venue; a fill received twice is booked once. */
  readonly id: string
  readonly clientOrderId: string
  readonly symbol: string
  readonly side: Side
  readonly price: Ticks
  readonly quantity: Steps
  /** Paid if positive. */
  readonly fee: Amount
  readonly feeAsset: string
  readonly liquidity: Liquidity
  /** ms UTC. */
  readonly time: number
}
