import {
  atr,
  cancelEntries,
  crossesAbove,
  defineStrategy,
  enterLong,
  exit,
  integer,
  number,
  rsi,
} from '../src/strategy/index.ts'

/** Buys weakness with a limit order below the market and sells strength. */
export default defineStrategy({
  name: 'rsi-reversion',
  description:
    'While the RSI is oversold, rests a bid a fraction of the ATR below the close; leaves when it is overbought or at the stop-loss.',
  parameters: {
    klines: integer({ default: 14, min: 2, max: 500, description: 'Klines in RSI and ATR.' }),
    oversold: number({ default: 30, min: 1, max: 50, description: 'RSI below which to bid.' }),
    overbought: number({ default: 60, min: 50, max: 99, description: 'RSI above which to leave.' }),
    discount: number({
      default: 0.25,
      min: 0,
      max: 5,
      description: 'Distance of the bid below the close, in ATRs.',
    }),
    stop: number({
      default: 3,
      min: 0.1,
      max: 20,
      description: 'Distance of the stop-loss below the bid, in ATRs.',
    }),
  },
  // RSI and ATR never forget; after 16 times their klines, what came before weighs less than a ten-millionth.
  warmUp: ({ klines }) => 16 * klines,
  indicators: ({ klines }) => ({ rsi: rsi(klines), atr: atr(klines) }),
  onKline(kline, { indicators, parameters: { oversold, overbought, discount, stop }, position }) {
    if (position.direction === 'long') {
      return crossesAbove(indicators.rsi, overbought) ? exit() : undefined
    }
    const price = kline.close - discount * indicators.atr.value
    const stopLoss = price - stop * indicators.atr.value
    // Ranges so wide that the stop-loss would lie below zero leave nothing sensible to bid.
    if (indicators.rsi.value >= oversold || stopLoss <= 0) return cancelEntries()
    return enterLong({ order: { type: 'limit', price }, stopLoss, tag: 'oversold' })
  },
})
