import { map } from 'rxjs'
import {
  atr,
  cancelEntries,
  crossesAbove,
  enterLong,
  exit,
  integer,
  number,
  rsi,
} from '../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../src/streams/index.ts'

/** `strategies/rsi-reversion.ts` as streams. */
export const rsiReversionStreams = defineStreamStrategy({
  name: 'rsi-reversion',
  parameters: {
    klines: integer({ default: 14, min: 2, max: 500, description: 'Klines in RSI and ATR.' }),
    oversold: number({ default: 30, min: 1, max: 50, description: 'RSI below which to bid.' }),
    overbought: number({ default: 60, min: 50, max: 99, description: 'RSI above which to leave.' }),
    discount: number({ default: 0.25, min: 0, max: 5, description: 'Bid below the close, in ATRs.' }),
    stop: number({ default: 3, min: 0.1, max: 20, description: 'Stop-loss below the bid, in ATRs.' }),
  },
  warmUp: ({ klines }) => 16 * klines,
  indicators: ({ klines }) => ({ rsi: rsi(klines), atr: atr(klines) }),
  signals: ({ klines$, context, indicators, parameters: { oversold, overbought, discount, stop } }) =>
    klines$.pipe(
      map(({ close }) => {
        if (context.position.direction === 'long')
          return crossesAbove(indicators.rsi, overbought) ? exit() : undefined
        const price = close - discount * indicators.atr.value
        const stopLoss = price - stop * indicators.atr.value
        if (indicators.rsi.value >= oversold || stopLoss <= 0) return cancelEntries()
        return enterLong({ order: { type: 'limit', price }, stopLoss, tag: 'oversold' })
      }),
    ),
})
