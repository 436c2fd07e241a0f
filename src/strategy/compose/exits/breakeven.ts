import type { PriceOrFraction } from '../../../domain/signal.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Moves the stop to the entry price when a close is in profit by `after` times the risk of the entry; the
 * risk (R) is the distance of the entry's stop-loss. Has no effect on entries without one. R-multiples: V. K.
 * Tharp, "Trade Your Way to Financial Freedom", 1998.
 */
export function breakeven({ after }: { readonly after: number }): Part {
  return definePart({
    name: 'breakeven',
    memory: () => ({ stopLoss: undefined as PriceOrFraction | undefined }),
    onEntry({ direction, stopLoss }, { view, memory }) {
      // Additions to a position do not change its initial stop.
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
