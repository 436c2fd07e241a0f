import { isBetter, type ObservedMinute } from './observation.ts'
import type { Resting } from './observed-orders.ts'

/**
 * The resting orders of both sides that a whole minute went beyond, in the order in which they share its volume.
 * A minute does not tell which side it reached first, so the fill that is worth least at its close comes first; on
 * one side that is the best price.
 */
export function gapShares<Order>(
  resting: readonly Resting<Order>[],
  minute: ObservedMinute,
): readonly Resting<Order>[] {
  return resting
    .filter(({ side, rest }) => {
      const worst = side === 'buy' ? minute.low : minute.high
      return minute.openTime >= rest.since && isBetter(side, rest.price, worst)
    })
    .toSorted((left, right) => gainAtClose(left, minute) - gainAtClose(right, minute))
}

/** Ticks that a fill is worth at the close of a minute; negative for a loss. */
function gainAtClose({ side, rest }: Resting<unknown>, { close }: ObservedMinute): number {
  return side === 'buy' ? close - rest.price : rest.price - close
}
