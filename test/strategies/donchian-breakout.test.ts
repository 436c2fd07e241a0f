import { describe, expect, it } from 'vitest'
import { flatKlines } from '../indicators/kline-series.ts'
import { emptyView, LONG } from '../strategy/strategy-view.ts'
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
})
