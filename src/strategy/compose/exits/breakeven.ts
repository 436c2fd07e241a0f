import type { PriceOrFraction } from '../../../domain/signal.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Moves the stop to the entry price once a close is `after` times the risk of the entry away from it in profit; the risk (R)
 * is the distance of the stop-loss that the entry went out with. Does nothing for entries without one.
 * R-multiples: V. K. Tharp, "Trade Your Way to Financial Freedom", 1998.
 */
export function breakeven({ after }: { readonly after: number }): Part {
  return definePart({
    name: 'breakeven',
    memory: () => ({ stopLoss: undefined as PriceOrFraction | undefined }),
    onEntry({ direction, stopLoss }, { view, memory }) {
      // What is added to a position later does not change what it began with.
      if (view.position.direction !== direction) memory.stopLoss = stopLoss
    },
    stopOf({ direction, entryPrice }, { kline: { close }, memory: { stopLoss } }) {
      if (stopLoss === undefined) return undefined
      const risk =
        typeof stopLoss === 'number' ? Math.abs(entryPrice - stopLoss) : entryPrice * stopLoss.fraction
      const won = direction === 'long' ? close - entryPrice : entryPrice - close
      return won >= after * risk ? entryPrice : undefined
    },
  })
}
