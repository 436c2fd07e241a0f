import { cancelEntries, defineStrategy, enterLong, rsi } from '../../../src/strategy/index.ts'

/** Klines in the RSI, and the level below which it bids. */
export const RSI_BRACKETS = { klines: 14, oversold: 30 }

/** Rests a bid below the market while the RSI is oversold; a stop-loss and a take-profit end what it buys. */
export const rsiBrackets = defineStrategy({
  name: 'rsi-brackets',
  indicators: () => ({ rsi: rsi(RSI_BRACKETS.klines) }),
  onKline({ close }, { indicators, position }) {
    if (position.direction !== 'flat') return
    if (indicators.rsi.value >= RSI_BRACKETS.oversold) return cancelEntries()
    return enterLong({
      order: { type: 'limit', price: close * 0.999 },
      stopLoss: { fraction: 0.01 },
      takeProfit: { fraction: 0.01 },
    })
  },
})
