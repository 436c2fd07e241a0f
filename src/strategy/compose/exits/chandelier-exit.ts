import { atr } from '../../../indicators/atr.ts'
import { highest, lowest } from '../../../indicators/rolling-extreme.ts'
import { definePart, type Part } from '../part.ts'
import { entryPrice } from './entry-price.ts'
import { isNearer } from './stop-ratchet.ts'

/**
 * Sets the stop of a long position `multiple` ATRs below the highest high of the last `klines`, that of a
 * short one as far above the lowest low; it only moves closer. An entry without a stop-loss gets it from the
 * start. The Chandelier Exit of C. Le Beau, in A. Elder, "Come Into My Trading Room", 2002, with 22 klines
 * and 3 ATRs.
 */
export function chandelierExit({
  klines = 22,
  multiple = 3,
}: {
  readonly klines?: number
  readonly multiple?: number
} = {}): Part {
  return definePart({
    name: 'chandelierExit',
    indicators: () => ({ atr: atr(klines), highest: highest(klines), lowest: lowest(klines) }),
    termsOf(entry, { kline, indicators }) {
      const level = levelOf(entry.direction, indicators, multiple)
      const isBehind = level > 0 && isNearer(entry.direction, entryPrice(entry, kline), level)
      return entry.stopLoss === undefined && isBehind ? { stopLoss: level } : {}
    },
    stopOf: ({ direction }, { indicators }) => levelOf(direction, indicators, multiple),
  })
}

function levelOf(
  direction: 'long' | 'short',
  indicators: Readonly<Record<'atr' | 'highest' | 'lowest', { readonly value: number }>>,
  multiple: number,
): number {
  const distance = multiple * indicators.atr.value
  return direction === 'long' ? indicators.highest.value - distance : indicators.lowest.value + distance
}
