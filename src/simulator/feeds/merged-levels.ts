import type { Grid, Steps, Ticks } from '../../domain/numbers/grid.ts'
import { steps, ticks } from '../../domain/numbers/grid.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type BookLevel, quantityAt } from '../spot/order-book.ts'

/** Everything that rests near one price. */
export interface MergedLevel {
  readonly price: Ticks
  readonly quantity: Steps
}

/**
 * Merges levels (best first) whose prices lie within one step of 10^-`decimals`: bids to the price below,
 * asks to the one above, so that no price improves. An equal or coarser grid stays as it is; so does a bid
 * below one step, which would merge to zero.
 */
export function* mergedLevels(
  grid: Grid,
  side: Side,
  levels: Iterable<BookLevel>,
  decimals: number,
): Generator<MergedLevel> {
  const size = 10 ** Math.max(0, grid.pricePrecision - decimals)
  let open: MergedLevel | undefined
  for (const level of levels) {
    const price = mergedPrice(side, level.price, size)
    const quantity = quantityAt(level)
    if (open !== undefined && open.price !== price) yield open
    open = { price, quantity: open?.price === price ? steps(open.quantity + quantity) : quantity }
  }
  if (open !== undefined) yield open
}

function mergedPrice(side: Side, price: Ticks, size: number): Ticks {
  if (side === 'sell') return ticks(Math.ceil(price / size) * size)
  return price < size ? price : ticks(Math.floor(price / size) * size)
}
