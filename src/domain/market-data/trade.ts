import type { Side } from '../orders/side.ts'

/** One public print of a recorded market; prices and quantities as read, hence `number`. */
export interface Trade {
  /** ms UTC. */
  readonly time: number
  /** Quote per base. */
  readonly price: number
  /** Base. */
  readonly quantity: number
  /** Side of the taker. */
  readonly side: Side
}
