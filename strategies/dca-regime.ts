import { defineStrategy, enterLong, exit, integer, number, sma } from '../src/strategy/index.ts'

const HOUR_MS = 3_600_000

/** Buys for the same money again and again while the price is above its long average, and sells once it is below. */
export default defineStrategy({
  name: 'dca-regime',
  description: 'Buys a fixed amount at fixed times while the trend is up; leaves when it ends.',
  parameters: {
    hours: integer({ default: 168, min: 1, max: 8784, description: 'Hours between purchases.' }),
    amount: number({ default: 250, min: 1, max: 1e9, description: 'Money for each purchase, in quote.' }),
    regime: integer({
      default: 200,
      min: 2,
      max: 5000,
      description: 'Klines in the average that tells the trend.',
    }),
  },
  indicators: ({ regime }) => ({ trend: sma(regime) }),
  onKline(
    kline,
    { indicators: { trend }, parameters: { hours, amount }, position, instrument, balance, time },
  ) {
    if (kline.close < trend.value)
      return position.direction === 'long' ? exit({ tag: 'trend ended' }) : undefined
    // On market time, so that it does not matter when the bot was started.
    if (time % (hours * HOUR_MS) !== 0 || balance(instrument.quote) < amount) return
    return enterLong({ size: { quote: amount }, scaleIn: true, tag: 'purchase' })
  },
})
