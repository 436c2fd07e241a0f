import { filter, map, merge } from 'rxjs'
import { crossesAbove, crossesBelow, enterLong, exit, integer, sma } from '../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../src/streams/define-stream-strategy.ts'

/** `strategies/sma-cross.ts` as streams. */
export const smaCrossStreams = defineStreamStrategy({
  name: 'sma-cross',
  parameters: {
    fast: integer({ default: 20, min: 1, max: 5000, description: 'Klines in the fast average.' }),
    slow: integer({ default: 50, min: 2, max: 5000, description: 'Klines in the slow average.' }),
  },
  indicators: ({ fast, slow }) => ({ fast: sma(fast), slow: sma(slow) }),
  signals: ({ klines$, indicators: { fast, slow } }) =>
    merge(
      klines$.pipe(
        filter(() => crossesAbove(fast, slow)),
        map(() => enterLong({ tag: 'cross' })),
      ),
      klines$.pipe(
        filter(() => crossesBelow(fast, slow)),
        map(() => exit()),
      ),
    ),
})
