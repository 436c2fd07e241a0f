import {
  atr,
  bollinger,
  choice,
  defineStrategy,
  enterLong,
  exit,
  integer,
  klines,
  number,
  of,
  sma,
} from '../src/strategy/index.ts'

/** Buys when the price leaves a quiet stretch upwards, and the trend of a longer interval agrees. */
export default defineStrategy({
  name: 'bollinger-squeeze',
  description:
    'Enters above the Bollinger bands after they lay inside a channel of ATRs; leaves at their middle.',
  parameters: {
    window: integer({ default: 20, min: 2, max: 500, description: 'Klines in bands and ATR.' }),
    deviations: number({
      default: 2,
      min: 0.1,
      max: 10,
      description: 'Distance of the bands, in deviations.',
    }),
    channel: number({ default: 1.5, min: 0.1, max: 10, description: 'Distance of the channel, in ATRs.' }),
    longer: choice({
      default: '4h',
      options: ['5m', '15m', '1h', '4h', '1d'],
      description: 'The longer interval, a multiple of the own one.',
    }),
    trend: integer({
      default: 50,
      min: 1,
      max: 500,
      description: 'Longer klines in the average of the trend.',
    }),
  },
  feeds: ({ longer }) => ({ longer: klines({ interval: longer }) }),
  // The ATR never forgets; after 16 times its klines, what came before weighs less than a ten-millionth.
  warmUp: ({ window }) => 16 * window,
  indicators: ({ window, deviations, trend }) => ({
    bands: bollinger(window, deviations),
    range: atr(window),
    trend: of('longer', sma(trend)),
  }),
  onKline(kline, { indicators: { bands, range, trend }, parameters: { channel }, feeds, position }) {
    if (position.direction === 'long') return kline.close < bands.value ? exit({ tag: 'middle' }) : undefined
    const wasQuiet = bands.upper.previous - bands.previous < channel * range.previous
    const isRising = (feeds.longer.latest?.close ?? 0) > trend.value
    if (wasQuiet && isRising && kline.close > bands.upper.previous)
      return enterLong({ stopLoss: bands.lower.previous, tag: 'squeeze' })
  },
})
