import {
  crossesAbove,
  crossesBelow,
  defineStrategy,
  enterLong,
  exit,
  integer,
  sma,
} from '../src/strategy/index.ts'

/** Long while the fast average is above the slow one. */
export default defineStrategy({
  name: 'sma-cross',
  description: 'Buys when the fast moving average crosses above the slow one, sells when it crosses below.',
  parameters: {
    fast: integer({ default: 20, min: 1, max: 5000, description: 'Klines in the fast average.' }),
    slow: integer({ default: 50, min: 2, max: 5000, description: 'Klines in the slow average.' }),
  },
  check: ({ fast, slow }) =>
    fast < slow ? undefined : `fast (${fast}) must be smaller than slow (${slow}).`,
  indicators: ({ fast, slow }) => ({ fast: sma(fast), slow: sma(slow) }),
  onKline(_kline, { indicators: { fast, slow } }) {
    if (crossesAbove(fast, slow)) return enterLong({ tag: 'cross' })
    if (crossesBelow(fast, slow)) return exit()
  },
})
