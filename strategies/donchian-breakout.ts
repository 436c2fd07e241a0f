import {
  choice,
  defineStrategy,
  enterLong,
  enterShort,
  highest,
  integer,
  lowest,
  number,
} from '../src/strategy/index.ts'

/** Trades breakouts of the channel of earlier klines, with a stop-loss and a take-profit. */
export default defineStrategy({
  name: 'donchian-breakout',
  description:
    'Enters when a kline closes outside the range of the klines before it; stop-loss and take-profit in fractions of the price.',
  parameters: {
    klines: integer({ default: 48, min: 2, max: 5000, description: 'Klines in the channel.' }),
    stopLoss: number({
      default: 0.01,
      min: 0.0001,
      max: 0.5,
      description: 'Loss at which to leave, as a fraction of the entry price.',
    }),
    takeProfit: number({
      default: 0.02,
      min: 0.0001,
      max: 5,
      description: 'Profit at which to leave, as a fraction of the entry price.',
    }),
    direction: choice({
      default: 'long',
      options: ['long', 'both'],
      description: 'Spot accounts can only be long.',
    }),
  },
  indicators: ({ klines }) => ({ upper: highest(klines), lower: lowest(klines) }),
  onKline(
    kline,
    { indicators: { upper, lower }, parameters: { stopLoss, takeProfit, direction }, position },
  ) {
    if (position.direction !== 'flat') return
    const protection = { stopLoss: { fraction: stopLoss }, takeProfit: { fraction: takeProfit } }
    if (kline.close > upper.previous) return enterLong({ ...protection, tag: 'breakout' })
    if (direction === 'both' && kline.close < lower.previous)
      return enterShort({ ...protection, tag: 'breakdown' })
  },
})
