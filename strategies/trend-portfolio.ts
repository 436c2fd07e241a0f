import { defineStrategy, integer, number, sma, targetPosition, volatility } from '../src/strategy/index.ts'

const DAY_MS = 86_400_000

/** Holds what rises, each market in the size at which it moves the account as much as every other. */
export default defineStrategy({
  name: 'trend-portfolio',
  description:
    'One of several markets on one account: long above its average, sized by volatility, looked at daily.',
  parameters: {
    trend: integer({
      default: 1200,
      min: 2,
      max: 20_000,
      description: 'Klines in the average that tells the trend.',
    }),
    window: integer({
      default: 480,
      min: 2,
      max: 20_000,
      description: 'Klines that volatility is measured on.',
    }),
    target: number({
      default: 0.2,
      min: 0.01,
      max: 2,
      description: 'Wanted volatility of the account, per year.',
    }),
    markets: integer({ default: 3, min: 1, max: 100, description: 'Markets that share the account.' }),
    band: number({
      default: 0.02,
      min: 0,
      max: 1,
      description: 'Change of the share of equity that is worth its costs.',
    }),
  },
  indicators: ({ trend, window }) => ({ average: sma(trend), volatility: volatility(window) }),
  onKline(kline, { indicators, parameters, position, equity, time }) {
    if (time % DAY_MS !== 0) return
    const { target, markets, band } = parameters
    const klinesPerYear = (365 * DAY_MS) / (time - kline.openTime)
    const yearly = indicators.volatility.value * Math.sqrt(klinesPerYear)
    const isRising = kline.close > indicators.average.value
    const wanted = isRising ? Math.min(0.95, target / yearly) / markets : 0
    const held = (position.quantity * kline.close) / equity
    if (Math.abs(wanted - held) > band || (wanted === 0 && held > 0))
      return targetPosition({ equityFraction: wanted })
  },
})
