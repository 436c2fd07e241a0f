import type { Side } from '../orders/side.ts'

/** A public trade of a recorded market; unrounded market data, hence `number`. */
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
