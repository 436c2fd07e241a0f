import { describe, expect, it } from 'vitest'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { flatKlines } from '../indicators/kline-series.ts'
import { hasShared } from '../shared-data.ts'
import { emptyView, LONG } from '../strategy/strategy-view.ts'
import { type ExpectedFill, expectFills, realRun } from './real-market.ts'
import { loadShipped } from './strategy-files.ts'
import { answersOf } from './strategy-run.ts'

const strategy = await loadShipped('donchian-breakout')
const PARAMETERS = { klines: 3, stopLoss: 0.02, takeProfit: 0.05 }
const PROTECTION = { stopLoss: { fraction: 0.02 }, takeProfit: { fraction: 0.05 } }
const BREAKOUT = { type: 'enter', direction: 'long', tag: 'breakout', ...PROTECTION }
const BREAKDOWN = { type: 'enter', direction: 'short', tag: 'breakdown', ...PROTECTION }
const NOTHING = undefined

/** Klines that reach one above and one below their close. */
const klinesOf = (closes: readonly number[]) =>
  flatKlines(closes).map(kline => ({ ...kline, high: kline.close + 1, low: kline.close - 1 }))

describe('donchian-breakout', () => {
  it('buys when a kline closes above the highs of the klines before it', () => {
    // Highs before each: 11 11 11, then 11 11 12 (a close on the high is none), then 11 12 13.5.
    const answers = answersOf(strategy, PARAMETERS, klinesOf([10, 10, 10, 11, 12.5, 13]))
    expect(answers).toEqual([NOTHING, BREAKOUT, NOTHING])
  })

  it('sells short when a kline closes below the lows, where it may', () => {
    // Lows before each: 9 9 9, then 9 9 8 (a close on the low is none).
    const klines = klinesOf([10, 10, 10, 9, 7.5])
    expect(answersOf(strategy, { ...PARAMETERS, direction: 'both' }, klines)).toEqual([NOTHING, BREAKDOWN])
    expect(answersOf(strategy, { ...PARAMETERS, direction: 'long' }, klines)).toEqual([NOTHING, NOTHING])
    expect(answersOf(strategy, PARAMETERS, klines)).toEqual([NOTHING, NOTHING])
  })

  it('buys where it may go both ways too', () => {
    const answers = answersOf(strategy, { ...PARAMETERS, direction: 'both' }, klinesOf([10, 10, 10, 11.5]))
    expect(answers).toEqual([BREAKOUT])
  })

  it('does nothing while it holds a position', () => {
    const klines = klinesOf([10, 10, 10, 12, 20, 1])
    const answers = answersOf(strategy, { ...PARAMETERS, direction: 'both' }, klines, { 4: LONG, 5: LONG })
    expect(answers).toEqual([BREAKOUT, NOTHING, NOTHING])
  })

  it('forgets klines that left the channel', () => {
    // The 30 is the fourth kline before the last.
    const answers = answersOf(strategy, PARAMETERS, klinesOf([30, 10, 10, 10, 12]))
    expect(answers).toEqual([NOTHING, BREAKOUT])
  })

  it('waits for a full channel', () => {
    expect(strategy.start({}, emptyView()).warmUp).toBe(48)
  })

  it('leaves at the stop-loss or the take-profit of its entry', () => {
    // Highs before each: 10 10 10. Bought at 100; 2% and 5% away are 98 and 105.
    const market = klineScript('1h').closes(10, 10, 10, 100)
    const traded = (...rows: readonly (readonly [number, number, number, number])[]) =>
      tryStrategy(strategy, { klines: market.ohlc(...rows), parameters: PARAMETERS }).fills
    expect(traded([100, 101, 99, 100], [100, 106, 99, 106])).toMatchObject([
      { kline: 4, side: 'buy', price: 100, tag: 'breakout' },
      { kline: 5, side: 'sell', price: 105, purpose: 'takeProfit' },
    ])
    expect(traded([100, 101, 97, 99])).toMatchObject([
      { kline: 4, side: 'buy', price: 100 },
      { kline: 4, side: 'sell', price: 98, purpose: 'stopLoss' },
    ])
  })

  it.runIf(hasShared('data'))('trades as told by a plain loop, for five months', async () => {
    const { klines: list, run } = await realRun(strategy, 'binance-btcusdt-15m', { count: 15_000 })
    const expected: ExpectedFill[] = []
    let isEntering = false
    let entry = Number.NaN
    for (const [index, { open, high, low, close }] of list.entries()) {
      const leave = (price: number) => {
        expected.push({ kline: index, side: 'sell', price: price })
        entry = Number.NaN
      }
      if (isEntering) {
        entry = open
        expected.push({ kline: index, side: 'buy', price: entry })
      }
      // The open tells whether the take-profit came first; nothing else does.
      const [stopLoss, takeProfit] = [entry * 0.99, entry * 1.02]
      if (open >= takeProfit) leave(takeProfit)
      else if (low <= stopLoss) leave(Math.min(open, stopLoss))
      else if (high > takeProfit) leave(takeProfit)
      const channel = list.slice(Math.max(0, index - 48), index).map(kline => kline.high)
      isEntering = Number.isNaN(entry) && index >= 48 && close > Math.max(...channel)
    }
    expectFills(run, expected)
    expect(run.roundTrips.length).toBeGreaterThan(100)
  })
})
