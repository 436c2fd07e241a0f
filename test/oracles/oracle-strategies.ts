import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  highest,
  lowest,
  type Strategy,
  sma,
} from '../../src/strategy/index.ts'

/** `goog-1d-sma-cross`: stop and reverse at every crossing, with all there is. */
const stopAndReverse = defineStrategy({
  name: 'stop-and-reverse',
  indicators: () => ({ fast: sma(10), slow: sma(20) }),
  onKline(_kline, { indicators: { fast, slow } }) {
    const size = { equityFraction: 1 - 2 ** -52 }
    if (fast.previous < slow.previous && fast.value > slow.value) return enterLong({ size })
    if (slow.previous < fast.previous && slow.value > fast.value) return enterShort({ size })
  },
})

/** `btcusdt-1h-sma-long-only`. */
const smaLongOnly = defineStrategy({
  name: 'sma-long-only',
  indicators: () => ({ fast: sma(20), slow: sma(50) }),
  onKline(_kline, { indicators: { fast, slow }, position }) {
    const isFlat = position.direction === 'flat'
    if (isFlat && fast.previous < slow.previous && fast.value > slow.value) {
      return enterLong({ size: { equityFraction: 0.95 } })
    }
    if (!isFlat && slow.previous < fast.previous && slow.value > fast.value) return exit()
  },
})

/** `btcusdt-15m-donchian-bracket`: channel of the 48 klines before this one; the oracle decides from row 49 on. */
const donchianBracket = defineStrategy({
  name: 'donchian-bracket',
  indicators: () => ({ upper: highest(48), lower: lowest(48) }),
  warmUp: () => 49,
  onKline({ close }, { indicators: { upper, lower }, position }) {
    if (position.direction !== 'flat') return
    const size = { equityFraction: 0.3 }
    if (close > upper.previous) {
      return enterLong({ size, stopLoss: close * (1 - 0.01), takeProfit: close * (1 + 0.02) })
    }
    if (close < lower.previous) {
      return enterShort({ size, stopLoss: close * (1 + 0.01), takeProfit: close * (1 - 0.02) })
    }
  },
})

/** `btcusdt-1m-stop-entries`: both stops are placed anew on every kline, the buy first. */
const stopEntries = defineStrategy({
  name: 'stop-entries',
  indicators: () => ({ high: highest(60), low: lowest(60) }),
  onKline(_kline, { indicators, position }) {
    const high = indicators.high.value
    const low = indicators.low.value
    if (position.direction !== 'flat' || high <= low) return cancelEntries()
    const size = { base: 5 }
    return [
      enterLong({
        size,
        order: { type: 'stop', stopPrice: high, triggerAtOnce: true },
        stopLoss: high * (1 - 0.004),
        takeProfit: high * (1 + 0.008),
      }),
      enterShort({
        size,
        order: { type: 'stop', stopPrice: low, triggerAtOnce: true },
        stopLoss: low * (1 + 0.004),
        takeProfit: low * (1 - 0.008),
      }),
    ]
  },
})

/** The rules of each oracle file, by its id. */
export const ORACLE_STRATEGIES: Readonly<Record<string, Strategy>> = {
  'goog-1d-sma-cross': stopAndReverse,
  'btcusdt-1h-sma-long-only': smaLongOnly,
  'btcusdt-15m-donchian-bracket': donchianBracket,
  'btcusdt-1m-stop-entries': stopEntries,
}
