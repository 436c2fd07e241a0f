import { defineStrategy, ema, enterLong, exit } from '../../src/strategy/index.ts'

/** Enters at market or with a limit, protected on both sides, and leaves some klines later: something every few minutes. */
export const restless = defineStrategy({
  name: 'restless',
  indicators: () => ({ average: ema(10) }),
  state: () => ({ klines: 0 }),
  onKline({ close }, { state, position, indicators }) {
    const step = state.klines++ % 12
    if (position.direction === 'long') return step % 4 === 3 ? exit() : undefined
    const protection = { stopLoss: { fraction: 0.002 }, takeProfit: { fraction: 0.002 } }
    if (step === 0) return enterLong({ ...protection })
    if (step === 4) return enterLong({ ...protection, order: { type: 'limit', price: close * 0.9998 } })
    if (step === 8 && close > indicators.average.value)
      return enterLong({ trailingStop: { fraction: 0.001 } })
  },
})
