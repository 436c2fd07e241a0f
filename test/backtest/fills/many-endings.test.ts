import { describe, expect, it } from 'vitest'
import { enterLong, protect } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, runScript } from '../kline-table.ts'

describe('the best price of an entry inside a kline', () => {
  it.each([0, 300])('is its close, although %i other orders end on that kline', others => {
    const first = enterLong({ order: { type: 'limit', price: 95 }, oco: 'one' })
    // Its fill cancels all others of its group.
    const further = Array.from({ length: others }, () =>
      enterLong({ order: { type: 'limit', price: 6 }, oco: 'one' }),
    )
    // Filled at 95 somewhere inside a kline from 94 to 110, so that only its close of 100 certainly came later:
    // a stop 3 below that is at 97, which 98 leaves alone. One below the high would have been passed at once.
    const result = runScript({ 0: [first, ...further], 1: protect({ trailingStop: { distance: 3 } }) }, [
      QUIET,
      [100, 110, 94, 100],
      [100, 100, 98, 98],
      [98, 98, 98, 98],
    ])
    expect(fillWords(result)).toEqual(['1: buy 1 at 95 maker'])
  })
})
