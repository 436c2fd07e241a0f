import { ATR, RSI } from 'trading-signals'
import { describe, expect, it } from 'vitest'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import { flatKlines } from '../indicators/kline-series.ts'
import { hasShared } from '../shared-data.ts'
import { emptyView, LONG } from '../strategy/strategy-view.ts'
import { type ExpectedFill, expectFills, realRun } from './real-market.ts'
import { loadShipped } from './strategy-files.ts'
import { answersOf } from './strategy-run.ts'

const strategy = await loadShipped('rsi-reversion')
const PARAMETERS = { klines: 2, oversold: 30, overbought: 60, discount: 0.25, stop: 3 }
const NOTHING = undefined
// All of the warm-up falls by 2, from 158 to 96, so that its RSI is 0 and its ATR is 2.
const FALLING = Array.from({ length: 32 }, (_, index) => 158 - 2 * index)

describe('rsi-reversion', () => {
  it('bids below the close while the RSI is oversold, with a stop-loss below the bid', () => {
    // The next change is -2: ATR 2, so 94 - 0.25 × 2 = 93.5 and 93.5 - 3 × 2 = 87.5.
    // The one after is -4: ATR 2 + (4 - 2) / 2 = 3, so 90 - 0.75 = 89.25 and 89.25 - 9 = 80.25.
    expect(answersOf(strategy, PARAMETERS, flatKlines([...FALLING, 94, 90]))).toEqual([
      {
        type: 'enter',
        direction: 'long',
        order: { type: 'limit', price: 93.5 },
        stopLoss: 87.5,
        tag: 'oversold',
      },
      {
        type: 'enter',
        direction: 'long',
        order: { type: 'limit', price: 89.25 },
        stopLoss: 80.25,
        tag: 'oversold',
      },
    ])
  })

  it('takes its bid back while the RSI is not oversold', () => {
    // A rise of 4: gain 2, loss 1, RSI 66.7. Then a fall of 2: gain 1, loss 1.5, RSI 40.
    expect(answersOf(strategy, PARAMETERS, flatKlines([...FALLING, 100, 98]))).toEqual([
      { type: 'cancelEntries' },
      { type: 'cancelEntries' },
    ])
  })

  it('bids nothing where the stop-loss would lie below zero', () => {
    // ATR 2 on the fourth kline: 93.5 - 20 × 2 is fine at 93.5, so the market falls to 30 first: the change of -66 gives
    // an ATR of 34 and a bid of 30 - 8.5, from which 20 × 34 leaves nothing.
    const klines = flatKlines([...FALLING, 30])
    expect(answersOf(strategy, { ...PARAMETERS, stop: 20 }, klines)).toEqual([{ type: 'cancelEntries' }])
  })

  it('leaves when the RSI crosses above overbought', () => {
    // RSI 0, then 66.7; a further rise of 2 gives gain 2, loss 0.5 and an RSI of 80, which crosses nothing.
    const klines = flatKlines([...FALLING, 100, 102])
    expect(answersOf(strategy, PARAMETERS, klines, { 32: LONG, 33: LONG })).toEqual([
      { type: 'exit' },
      NOTHING,
    ])
  })

  it('does not bid again while it holds', () => {
    const klines = flatKlines([...FALLING, 94, 90])
    expect(answersOf(strategy, PARAMETERS, klines, { 32: LONG, 33: LONG })).toEqual([NOTHING, NOTHING])
  })

  it('follows its bounds', () => {
    // An RSI of 66.7 and of 40, as above.
    const klines = flatKlines([...FALLING, 100, 98])
    const answers = answersOf(strategy, { ...PARAMETERS, oversold: 45 }, klines)
    expect(answers).toMatchObject([{ type: 'cancelEntries' }, { type: 'enter' }])
    expect(answersOf(strategy, { ...PARAMETERS, overbought: 70 }, klines, { 32: LONG })).toEqual([
      NOTHING,
      { type: 'cancelEntries' },
    ])
  })

  it('waits until what came before the klines weighs nothing in RSI and ATR', () => {
    // 16 × 14; Wilder's weight of everything before is then (13/14)^224 = 6.2e-8.
    expect(strategy.start({}, emptyView()).warmUp).toBe(224)
  })

  it('fills at its bid, and leaves at the stop-loss', () => {
    // A bid of 93.5 and a stop-loss of 87.5, as above: the next kline trades through the bid, the one after the stop.
    const market = klineScript('1h')
      .closes(...FALLING, 94)
      .ohlc([94, 95, 93, 94], [94, 94, 87, 90])
    const { fills } = tryStrategy(strategy, { klines: market, parameters: PARAMETERS })
    expect(fills).toMatchObject([
      { kline: 33, side: 'buy', price: 93.5, liquidity: 'maker', tag: 'oversold' },
      { kline: 34, side: 'sell', price: 87.5, purpose: 'stopLoss' },
    ])
  })

  it.runIf(hasShared('data'))(
    'trades as told by other indicators and a plain loop, for eight months',
    async () => {
      const { klines: list, run } = await realRun(strategy, 'binance-btcusdt-1h', { count: 6000 })
      const [rsi, atr] = [new RSI(14), new ATR(14)]
      const expected: ExpectedFill[] = []
      let stop = Number.NaN
      let bid = Number.NaN
      let isLeaving = false
      let [lastRsi, lastRange] = [Number.NaN, Number.NaN]
      for (const [index, kline] of list.entries()) {
        const isHolding = !Number.isNaN(stop)
        const leave = (price: number) => {
          expected.push({ kline: index, side: 'sell', price: price })
          stop = Number.NaN
        }
        if (isHolding && isLeaving) leave(kline.open)
        else if (isHolding && kline.low <= stop) leave(Math.min(stop, kline.open))
        else if (!isHolding && kline.low < bid) {
          expected.push({ kline: index, side: 'buy', price: Math.min(bid, kline.open) })
          stop = bid - 3 * lastRange
          if (kline.low <= stop) leave(stop)
        }
        rsi.add(kline.close)
        atr.add(kline)
        const [value, range] = [rsi.getResult() ?? Number.NaN, atr.getResult() ?? Number.NaN]
        isLeaving = lastRsi <= 60 && value > 60
        bid = index >= 224 && value < 30 ? kline.close - 0.25 * range : Number.NaN
        lastRsi = value
        lastRange = range
      }
      expectFills(run, expected)
      expect(run.roundTrips.length).toBeGreaterThan(50)
    },
  )
})
