import { atr } from '../../../indicators/atr.ts'
import { entryPrice } from '../exits/entry-price.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Sizes every entry by its stop: an entry without a stop-loss gets one `multiple` ATRs of the last `klines`
 * from its expected price; its size is such that `fraction` of equity is lost there. Skips an entry whose
 * stop would be at zero or below. The units of C. M. Faith, "Way of the Turtle", 2007, risk one ATR with a
 * stop two ATRs away.
 */
export function atrRisk({
  klines,
  multiple,
  fraction,
  maxEquityFraction,
}: {
  readonly klines: number
  readonly multiple: number
  readonly fraction: number
  /** Largest notional of an entry as a fraction of equity, also for a very close stop. */
  readonly maxEquityFraction?: number
}): Part {
  return definePart({
    name: 'atrRisk',
    indicators: () => ({ atr: atr(klines) }),
    termsOf(entry, { kline, indicators }) {
      const size = { riskFraction: fraction, ...(maxEquityFraction !== undefined && { maxEquityFraction }) }
      if (entry.stopLoss !== undefined) return { size }
      const distance = multiple * indicators.atr.value
      const stopLoss = entryPrice(entry, kline) + (entry.direction === 'long' ? -distance : distance)
      return distance > 0 && stopLoss > 0 ? { size, stopLoss } : 'skip'
    },
  })
}
