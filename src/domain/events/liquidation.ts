import type { Amount } from '../numbers/amount.ts'
import type { Steps, Ticks } from '../numbers/grid.ts'
import type { Direction } from '../orders/side.ts'

/** A position, or a part of one, that is closed without an order of ours: its exchange takes it over, or somebody else closes it. */
export interface Liquidation {
  readonly symbol: string
  /** What the position is held in. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  /** `others`: traded away on our account; default: the exchange. */
  readonly by?: 'others'
  /** The mark price at which it is taken over, or the last at which something is left of the money behind it. */
  readonly price: Ticks
  /** All that is left of that money at `price`. */
  readonly fee: Amount
}
