import type { Amount } from './numbers/amount.ts'
import type { Steps, Ticks } from './numbers/grid.ts'
import type { Purpose } from './orders/order-intent.ts'
import type { Direction } from './orders/side.ts'

/** Open rest of one entry fill. */
export interface Lot {
  /** clientOrderId of the entry order. */
  readonly clientOrderId: string
  readonly quantity: Steps
  readonly price: Ticks
  /** ms UTC. */
  readonly time: number
  /** Fee of this quantity, in quote. */
  readonly fee: Amount
  readonly reason: Purpose
  readonly tag?: string | undefined
}

/** Position of one instrument in one book. Lots are in order of entry. */
export interface Position {
  readonly symbol: string
  /** Book of the position; see `bookNames`. */
  readonly book: string
  readonly direction: Direction
  readonly quantity: Steps
  readonly lots: readonly Lot[]
}
