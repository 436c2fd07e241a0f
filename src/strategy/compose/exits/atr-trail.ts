import { atr } from '../../../indicators/atr.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Trails a position by its closes: the stop is `multiple` ATRs of the last `klines` from the best close since
 * the entry, and only moves closer. The Volatility System of J. W. Wilder, "New Concepts in Technical Trading
 * Systems", 1978.
 */
export function atrTrail({ klines, multiple }: { readonly klines: number; readonly multiple: number }): Part {
  return definePart({
    name: 'atrTrail',
    indicators: () => ({ atr: atr(klines) }),
    memory: () => ({ best: undefined as number | undefined, direction: 'flat' }),
    onFill(_fill, { view: { position }, memory }) {
      if (position.direction !== memory.direction) memory.best = undefined
      memory.direction = position.direction
    },
    stopOf({ direction }, { kline: { close }, indicators, memory }) {
      const best = memory.best ?? close
      memory.best = direction === 'long' ? Math.max(best, close) : Math.min(best, close)
      const distance = multiple * indicators.atr.value
      return direction === 'long' ? memory.best - distance : memory.best + distance
    },
  })
}
