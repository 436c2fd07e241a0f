import { join } from 'node:path'
import { ROOT } from './sluice-process.ts'

/** Text of a strategy that buys at the first ticker, sells once it is filled, and then bids far below the market. */
export const TRIPPER = `import { defineStrategy, enterLong, exit, ticker } from ${JSON.stringify(join(ROOT, 'src/strategy/index.ts'))}
export default defineStrategy({
  name: 'tripper',
  feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
  state: () => ({ step: 'enter' }),
  on: {
    quote({ bid }, { state, position }) {
      if (bid === undefined) return
      if (state.step === 'enter') {
        state.step = 'leave'
        return enterLong()
      }
      if (state.step === 'leave' && position.direction === 'long') {
        state.step = 'bid'
        return exit()
      }
      if (state.step === 'bid' && position.direction === 'flat') {
        state.step = 'done'
        return enterLong({ order: { type: 'limit', price: bid * 0.7 }, keep: true, tag: 'low' })
      }
    },
  },
})
`
