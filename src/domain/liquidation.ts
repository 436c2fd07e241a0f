import type { Amount } from './amount.ts'
import type { Steps, Ticks } from './grid.ts'
import type { Direction } from './side.ts'

/** A position that its exchange takes over, and on which terms. */
export interface Liquidation {
  readonly symbol: string
  /** What the position is held in. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  /** The mark price at which it is taken over, or the last at which something is left of the money behind it. */
  readonly price: Ticks
  /** All that is left of that money at `price`. */
  readonly fee: Amount
}
