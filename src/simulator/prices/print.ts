import { type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import type { GridKline } from './grid-kline.ts'

/** One trade of the market that the exchange replays: it moves the reference price. */
export interface Print {
  /** ms UTC. */
  readonly time: number
  readonly price: Ticks
  /** Base; may be 0, for a price that moved without volume. */
  readonly quantity: Steps
  /** Side of the taker. */
  readonly side: Side
}

/**
 * The path of a kline as four prints: its open exactly at its open time, the extreme nearer to the open after a quarter
 * of `lengthMs`, the other one after a half, the close after three quarters. The volume is spread over them exactly.
 */
export function printsOf(kline: GridKline, lengthMs: number): readonly Print[] {
  const { open, high, low, close } = kline
  const extremes = high - open < open - low ? [high, low] : [low, high]
  const path = [open, ...extremes, close]
  const quarter = Math.floor(kline.volume / 4)
  return path.map((price, index) => ({
    time: kline.openTime + Math.floor((lengthMs * index) / 4),
    price,
    quantity: steps(index === 3 ? kline.volume - 3 * quarter : quarter),
    side: price < (path[index - 1] ?? open) ? 'sell' : 'buy',
  }))
}

/** A print with its public trade id. */
export interface PublicTrade extends Print {
  readonly id: number
}
