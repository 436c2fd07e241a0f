import {
  boolean,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  integer,
  number,
} from '../../../src/strategy/index.ts'

/** Buys what fell by a fraction within some klines, and sells once it is no longer below; the other way round on the short side. */
export const reversion = defineStrategy({
  name: 'reversion',
  parameters: {
    klines: integer({ default: 24, min: 1, max: 500, description: 'Klines of the fall.' }),
    fall: number({ default: 0.03, min: 0.001, max: 1, description: 'Fraction that the price fell.' }),
    short: boolean({ default: false, description: 'Sells short what rose.' }),
  },
  history: ({ klines }) => klines + 1,
  onKline({ close }, { history: [first], parameters: { fall, short }, position }) {
    const change = close / (first?.close ?? close) - 1
    if (change < -fall && position.direction !== 'long') return enterLong()
    if (change > fall && short && position.direction !== 'short') return enterShort()
    if (position.direction === 'long' && change >= 0) return exit()
    if (position.direction === 'short' && change <= 0) return exit()
  },
})
