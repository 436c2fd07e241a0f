import { defineStrategy, enterLong, enterShort, sma } from '../../src/strategy/index.ts'

/** Always in the market: long above the slow average, short below it. */
export const turner = defineStrategy({
  name: 'turner',
  indicators: () => ({ fast: sma(5), slow: sma(20) }),
  onKline: (_kline, { indicators: { fast, slow }, position }) => {
    const wanted = fast.value > slow.value ? 'long' : 'short'
    if (position.direction === wanted) return undefined
    return wanted === 'long' ? enterLong() : enterShort()
  },
})
