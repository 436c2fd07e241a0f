import type { Amount } from '../numbers/amount.ts'
import type { Steps, Ticks } from '../numbers/grid.ts'
import type { Direction } from '../orders/side.ts'

/**
 * A close of a position, or of a part of one, without an order of ours: the exchange liquidates it, a foreign
 * order on our account closes it, or nothing proves which of both.
 */
export interface Liquidation {
  readonly symbol: string
  /** Book of the position. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  /** `others`: closed by a foreign order on our account; `unknown`: by them or the exchange; default: by the exchange. */
  readonly by?: 'others' | 'unknown' | undefined
  /** Mark price of the liquidation, or the last price at which some of the position's margin is left. */
  readonly price: Ticks
  /** Rest of that margin at `price`, in quote. */
  readonly fee: Amount
}
