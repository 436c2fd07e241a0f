import {
  boolean,
  crossesAbove,
  crossesBelow,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  integer,
  sma,
} from '../../../src/strategy/index.ts'

/** Long while the fast average is above the slow one; otherwise flat, or short. */
export const trend = defineStrategy({
  name: 'trend',
  parameters: {
    fast: integer({ default: 4, min: 1, max: 5000, description: 'Klines in the fast average.' }),
    slow: integer({ default: 48, min: 2, max: 5000, description: 'Klines in the slow average.' }),
    short: boolean({ default: false, description: 'Goes short instead of flat.' }),
  },
  check: ({ fast, slow }) => (fast < slow ? undefined : 'fast must be smaller than slow.'),
  indicators: ({ fast, slow }) => ({ fast: sma(fast), slow: sma(slow) }),
  onKline(_kline, { indicators: { fast, slow }, parameters }) {
    if (crossesAbove(fast, slow)) return enterLong()
    if (crossesBelow(fast, slow)) return parameters.short ? enterShort() : exit()
  },
})
