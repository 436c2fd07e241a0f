import type { Amount } from './numbers/amount.ts'
import type { Steps, Ticks } from './numbers/grid.ts'
import type { Purpose } from './orders/order-intent.ts'
import type { Direction } from './orders/side.ts'

/** A closed quantity from its entry to its exit: lots are closed first in, first out. */
export interface RoundTrip {
  readonly symbol: string
  /** Book of the position; see `bookNames`. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  /** ms UTC. */
  readonly entryTime: number
  readonly entryPrice: Ticks
  /** ms UTC. */
  readonly exitTime: number
  readonly exitPrice: Ticks
  /** Profit after the fees of entry and exit, in quote. */
  readonly pnl: Amount
  /** Fees of entry and exit, in quote (a fee in base counts at the fill's price). */
  readonly fees: Amount
  readonly entryReason: Purpose
  readonly exitReason: Purpose
  readonly tag?: string | undefined
}
