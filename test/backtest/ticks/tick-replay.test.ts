import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { enterLong, enterShort, exit, keepQuotes } from '../../../src/strategy/index.ts'
import { fillsIn, playTicks, saying, type TopRow, type TradeRow, tickBacktest, ticksOf } from './tick-run.ts'

/** A first minute at 100, and an end; what happens in between is the case. */
const START: TradeRow = [0, 100]
const END: TradeRow = [180_000, 100]
const during = (trades: readonly TradeRow[], tops?: readonly TopRow[]) =>
  ticksOf([START, ...trades, END], tops)

const limit = (price: number, terms: object = {}) => enterLong({ order: { type: 'limit', price, ...terms } })

describe('an order decided when a kline closes', () => {
  it('trades at the next trade, at market', () => {
    expect(playTicks(saying(enterLong()), during([[60_500, 101]]))).toEqual(['buy 1 at 101 taker, 60500'])
  })

  it('trades at a trade of the very moment of the close, which that kline does not know', () => {
    expect(playTicks(saying(enterLong()), during([[60_000, 101]]))).toEqual(['buy 1 at 101 taker, 60000'])
  })

  it('takes the opposite best price, where that is known', () => {
    const tops: TopRow[] = [[59_000, 100.4, 100.6]]
    expect(playTicks(saying(enterLong()), during([[60_500, 101]], tops))).toEqual([
      'buy 1 at 100.6 taker, 60500',
    ])
    expect(playTicks(saying(enterShort()), during([[60_500, 101]], tops))).toEqual([
      'sell 1 at 100.4 taker, 60500',
    ])
  })

  it('does not wait for a trade where the best prices move', () => {
    const tops: TopRow[] = [
      [59_000, 100.4, 100.6],
      [60_200, 100.5, 100.7],
    ]
    expect(playTicks(saying(enterLong()), during([[60_500, 101]], tops))).toEqual([
      'buy 1 at 100.7 taker, 60200',
    ])
  })

  it('meets a trade before the best prices of the same moment', () => {
    const tops: TopRow[] = [
      [59_000, 100.4, 100.6],
      [60_500, 100.7, 100.9],
    ]
    const fills = playTicks(saying(enterLong()), during([[60_500, 101]], tops))
    expect(fills).toEqual(['buy 1 at 100.6 taker, 60500'])
  })

  it('comes after its latency: what happens before passes it by', () => {
    const trades: TradeRow[] = [
      [60_500, 101],
      [60_699, 102],
      [60_700, 103],
    ]
    expect(playTicks(saying(enterLong()), during(trades), { latencyMs: 700 })).toEqual([
      'buy 1 at 103 taker, 60700',
    ])
  })

  it('takes no more than its share of the trade, and ends with that where it enters', () => {
    const trades: TradeRow[] = [
      [60_500, 101, 2],
      [60_500, 102, 1],
      [60_600, 103, -8],
    ]
    expect(playTicks(saying(enterLong()), during(trades), { maxVolumeShare: 0.2 })).toEqual([
      'buy 0.4 at 101 taker, 60500',
    ])
  })

  it('takes its share of each of two trades of one moment, where it closes', () => {
    const trades: TradeRow[] = [
      [60_500, 101, 5],
      [120_500, 102, 3],
      [120_500, 103, 1],
      [121_000, 104, 9],
    ]
    expect(playTicks(saying(enterLong(), exit()), during(trades), { maxVolumeShare: 0.2 })).toEqual([
      'buy 1 at 101 taker, 60500',
      'sell 0.6 at 102 taker, 120500',
      'sell 0.2 at 103 taker, 120500',
      'sell 0.2 at 104 taker, 121000',
    ])
  })
})

describe('a limit order that rests', () => {
  it('fills at its price when a trade goes through it, not when one only touches it', () => {
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 99],
      [62_000, 98.99],
    ]
    expect(playTicks(saying(limit(99)), during(trades))).toEqual(['buy 1 at 99 maker, 62000'])
    expect(playTicks(saying(limit(99)), during(trades), { limitFill: 'touch' })).toEqual([
      'buy 1 at 99 maker, 61000',
    ])
  })

  it('fills when the other side of the book moves through it', () => {
    const tops: TopRow[] = [
      [59_000, 99.9, 100.1],
      [61_000, 98.9, 99],
      [62_000, 98.8, 98.9],
    ]
    expect(playTicks(saying(limit(99)), during([[60_500, 100]], tops))).toEqual(['buy 1 at 99 maker, 62000'])
  })

  it('takes at once what is offered below its price when it comes', () => {
    const tops: TopRow[] = [[59_000, 99.9, 100.1]]
    expect(playTicks(saying(limit(100.5)), during([[60_500, 101]], tops))).toEqual([
      'buy 1 at 100.1 taker, 60500',
    ])
  })

  it('rests although the last trade was below its price, where the book offers nothing there', () => {
    const tops: TopRow[] = [[59_000, 99.9, 100.6]]
    const trades: TradeRow[] = [
      [60_500, 100.6],
      [61_000, 100.2],
    ]
    expect(playTicks(saying(limit(100.5)), during(trades, tops))).toEqual(['buy 1 at 100.5 maker, 61000'])
  })

  it('is compared with the trade before it, where nothing is known of the book', () => {
    // Before it somebody traded at 100.
    const taken = ['buy 1 at 100.2 taker, 60500']
    expect(playTicks(saying(limit(100.5)), during([[60_500, 100.2]]))).toEqual(taken)
    expect(playTicks(saying(limit(100.5)), during([[60_500, 101]]))).toEqual(['buy 1 at 100.5 taker, 60500'])
    expect(playTicks(saying(limit(99)), during([[60_500, 98]]))).toEqual(['buy 1 at 99 maker, 60500'])
    expect(playTicks(saying(limit(99, { postOnly: true })), during([[60_500, 98]]))).toEqual([
      'buy 1 at 99 maker, 60500',
    ])
    expect(playTicks(saying(limit(101, { postOnly: true })), during([[60_500, 102]]))).toEqual([])
  })

  it('is compared with the latest of the trades that were played', () => {
    const trades: TradeRow[] = [
      [119_000, 103],
      [121_000, 100.8],
    ]
    const strategy = saying(limit(90), limit(101, { postOnly: true }))
    expect(playTicks(strategy, during(trades))).toEqual(['buy 1 at 101 maker, 121000'])
  })

  it('is canceled if it must not take and would', () => {
    const tops: TopRow[] = [[59_000, 99.9, 100.4]]
    const run = (price: number) =>
      runBacktest(tickBacktest(saying(limit(price, { postOnly: true })), during([[60_500, 101]], tops)))
    expect([fillsIn(run(100.5)), run(100.5).workingOrders]).toEqual([[], 0])
    expect([fillsIn(run(100.4)), run(100.4).workingOrders]).toEqual([[], 1])
  })

  it('keeps an IOC order for one moment', () => {
    const tops: TopRow[] = [[59_000, 99.9, 100.1]]
    const trades: TradeRow[] = [
      [60_500, 101],
      [61_000, 98],
    ]
    expect(playTicks(saying(limit(99.5, { timeInForce: 'IOC' })), during(trades, tops))).toEqual([])
  })
})

describe('what protects a position', () => {
  it('waits for a trade at its price, and takes what is bid then', () => {
    const tops: TopRow[] = [
      [59_000, 99.9, 100.1],
      [61_000, 94, 96],
      [63_000, 94.5, 94.7],
    ]
    const trades: TradeRow[] = [
      [60_500, 100],
      [62_000, 95.5],
      [64_000, 95],
    ]
    expect(playTicks(saying(enterLong({ stopLoss: 95 })), during(trades, tops))).toEqual([
      'buy 1 at 100.1 taker, 60500',
      'sell 1 at 94.5 taker, 64000',
    ])
  })

  it('follows the best trade with a trailing stop', () => {
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 104],
      [62_000, 102.01],
      [63_000, 101.9],
    ]
    expect(playTicks(saying(enterLong({ trailingStop: { distance: 2 } })), during(trades))).toEqual([
      'buy 1 at 100 taker, 60500',
      'sell 1 at 101.9 taker, 63000',
    ])
  })
})

describe('a trailing stop with an activation', () => {
  it('starts with the trade that reaches it', () => {
    // 102.9 - 2 is 100.9, but it does not exist before 103; then it is at 101.
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 102.9],
      [62_000, 100.5],
      [63_000, 103],
      [64_000, 101.01],
      [65_000, 100.8],
    ]
    const signal = enterLong({ trailingStop: { distance: 2, activation: 103 } })
    expect(playTicks(saying(signal), during(trades))).toEqual([
      'buy 1 at 100 taker, 60500',
      'sell 1 at 100.8 taker, 65000',
    ])
  })
})

describe('the end of the data', () => {
  it('closes what is held at what is bid then, after everything else', () => {
    const tops: TopRow[] = [[59_000, 99.9, 100.1]]
    const backtest = tickBacktest(saying(enterLong()), during([[150_000, 101]], tops))
    expect(fillsIn(runBacktest({ ...backtest, closeAtEnd: 'lastClose' }))).toEqual([
      'buy 1 at 100.1 taker, 150000',
      'sell 1 at 99.9 taker, 179999',
    ])
  })
})

describe('quotes on ticks', () => {
  it('fill one after the other, and stay as they are while nothing changes', () => {
    const set = keepQuotes([
      { side: 'buy', price: 99, size: { base: 1 } },
      { side: 'sell', price: 101, size: { base: 1 } },
    ])
    const trades: TradeRow[] = [
      [61_000, 98.5],
      [62_000, 101.5],
      [63_000, 98.5],
      [64_000, 100],
      [121_000, 98.5],
    ]
    const result = runBacktest(tickBacktest(saying(set, set, exit()), during(trades)))
    expect(fillsIn(result)).toEqual([
      'buy 1 at 99 maker, 61000',
      'sell 1 at 101 maker, 62000',
      'buy 1 at 99 maker, 121000',
    ])
  })
})
