import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { flatKlines } from '../indicators/kline-series.ts'
import { hasShared } from '../shared-data.ts'
import { emptyView } from '../strategy/strategy-view.ts'
import { type ExpectedFill, expectFills, meanOf, realRun } from './real-market.ts'
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

  it('trades at the open after the cross', () => {
    // Averages of 2 and of 4 as above: 12/11, then 10/11.
    const market = klineScript('1h').closes(10, 10, 10, 10, 14, 14, 6, 6)
    const { fills, roundTrips } = tryStrategy(strategy, { klines: market, parameters: { fast: 2, slow: 4 } })
    expect(fills).toMatchObject([
      { kline: 5, side: 'buy', price: 14, tag: 'cross' },
      { kline: 7, side: 'sell', price: 6 },
    ])
    expect(roundTrips).toMatchObject([{ profit: -8 }])
  })

  it.runIf(hasShared('data'))('buys and sells at every crossing of 500 days', async () => {
    const { klines: list, run } = await realRun(strategy, 'binance-btcusdt-1h', { count: 12_000 })
    const averageOf = (length: number, index: number) =>
      meanOf(list.slice(index + 1 - length, index + 1).map(({ close }) => close))
    const expected: ExpectedFill[] = []
    let wasAbove = averageOf(20, 49) > averageOf(50, 49)
    for (let index = 50; index + 1 < list.length; index++) {
      const isAbove = averageOf(20, index) > averageOf(50, index)
      const fill = { kline: index + 1, price: list[index + 1]?.open ?? 0 }
      if (isAbove && !wasAbove) expected.push({ ...fill, side: 'buy' })
      // A first crossing below finds nothing to sell.
      if (wasAbove && !isAbove && expected.length > 0) expected.push({ ...fill, side: 'sell' })
      wasAbove = isAbove
    }
    expectFills(run, expected)
    expect(run.roundTrips.length).toBeGreaterThan(100)
  })
})
