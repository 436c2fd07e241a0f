import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { flatKlines } from '../indicators/kline-series.ts'
import { emptyView } from '../strategy/strategy-view.ts'
import { loadShipped } from './strategy-files.ts'
import { answersOf } from './strategy-run.ts'

const strategy = await loadShipped('sma-cross')
const BUY = { type: 'enter', direction: 'long', tag: 'cross' }
const SELL = { type: 'exit' }
const NOTHING = undefined

describe('sma-cross', () => {
  it('buys when the fast average crosses above the slow one and sells when it crosses below', () => {
    // Averages of 2 and of 4 closes, from the fifth kline: 12/11, 14/12, 10/11, 6/10, 13/11.5.
    const closes = [10, 10, 10, 10, 14, 14, 6, 6, 20]
    expect(answersOf(strategy, { fast: 2, slow: 4 }, flatKlines(closes))).toEqual([
      BUY,
      NOTHING,
      SELL,
      NOTHING,
      BUY,
    ])
  })

  it('does nothing while the averages only touch', () => {
    // From the fifth kline: 10/10, then 10/10.
    expect(answersOf(strategy, { fast: 2, slow: 4 }, flatKlines([10, 10, 10, 10, 10, 10]))).toEqual([
      NOTHING,
      NOTHING,
    ])
  })

  it('does nothing in a trend that began before it looked', () => {
    const rising = flatKlines([1, 2, 3, 4, 5, 6, 7])
    expect(answersOf(strategy, { fast: 2, slow: 4 }, rising)).toEqual([NOTHING, NOTHING, NOTHING])
  })

  it('waits for the slow average', () => {
    expect(strategy.start({}, emptyView()).warmUp).toBe(50)
    expect(strategy.start({ fast: 3, slow: 200 }, emptyView()).warmUp).toBe(200)
  })

  it.each([
    [50, 20],
    [20, 20],
  ])('refuses a fast average of %i and a slow one of %i', (fast, slow) => {
    expect(() => strategy.parameterValues({ fast, slow })).toThrow(UsageError)
    expect(() => strategy.parameterValues({ fast, slow })).toThrow(
      `fast (${fast}) must be smaller than slow (${slow}).`,
    )
  })
})
