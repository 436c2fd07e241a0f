import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { defineStrategy, depth, enterLong, keepQuotes, ticker, trades } from '../../../src/strategy/index.ts'
import { fillsIn, type TopRow, type TradeRow, tickBacktest, ticksOf } from './tick-run.ts'

const TRADES: readonly TradeRow[] = [
  [0, 100, 2],
  [400, 101, 1],
  [1_000, 99, -3],
  [1_500, 102],
  [70_000, 103],
  [180_000, 100],
]
const TOPS: readonly TopRow[] = [
  [100, 99.9, 100.1],
  [900, 99.8, 100],
  [1_000, 99.7, 99.9],
  [5_500, 99.6, 99.8],
]

/** What a strategy that follows all is shown, in words. */
function shown(everyMs: number): readonly string[] {
  const told: string[] = []
  const listener = defineStrategy({
    name: 'listener',
    feeds: () => ({
      book: depth({ levels: 5, everyMs }),
      tape: trades({ everyMs }),
      quote: ticker({ everyMs }),
    }),
    onKline: ({ close }, { time }) => void told.push(`${time} kline ${close}`),
    on: {
      book: ({ bids, asks }, { time }) => void told.push(`${time} book ${bids[0]?.price} ${asks[0]?.price}`),
      tape: ({ price, quantity, side }, { time }) =>
        void told.push(`${time} tape ${side} ${quantity} at ${price}`),
      quote: ({ last, bid, high, low, volume }, { time }) =>
        void told.push(`${time} quote ${last} ${bid} ${low} to ${high}, ${volume}`),
    },
  })
  runBacktest(tickBacktest(listener, ticksOf(TRADES, TOPS)))
  return told
}

describe('feeds of recorded ticks', () => {
  it('show every so often what was known before, where anything of it is new', () => {
    expect(shown(1_000)).toEqual([
      // At 1000, what happens at 1000 is not known yet.
      '0 tape buy 2 at 100',
      '400 tape buy 1 at 101',
      '1000 quote 101 99.8 100 to 101, 3',
      '1000 book 99.8 100',
      '1000 tape sell 3 at 99',
      '1500 tape buy 1 at 102',
      '2000 quote 102 99.7 99 to 102, 7',
      '2000 book 99.7 99.9',
      '6000 quote 102 99.6 99 to 102, 7',
      '6000 book 99.6 99.8',
      '60000 kline 102',
      '70000 tape buy 1 at 103',
      '71000 quote 103 99.6 99 to 103, 8',
      '120000 kline 103',
      '180000 kline 103',
    ])
  })

  it('show at the moment of a close only what the kline has shown before', () => {
    const at = shown(60_000)
    expect(at.slice(0, 2)).toEqual(['60000 kline 102', '60000 tape buy 2 at 100'])
    expect(at.filter(told => told.includes('tape')).at(-1)).toBe('120000 tape buy 1 at 103')
  })

  it('lead to orders that trade after them, and after their latency', () => {
    const maker = defineStrategy({
      name: 'maker',
      feeds: () => ({ book: depth({ levels: 1, everyMs: 1_000 }) }),
      on: {
        book: ({ bids }) =>
          keepQuotes([{ side: 'buy', price: bids[0]?.price ?? Number.NaN, size: { base: 1 } }]),
      },
    })
    // Seen at 1000, at the market from 1000 on, or from 2600 on: it rests in the next book. A trade at 2500 goes through 99.9.
    const ticks = ticksOf(
      [
        [0, 100],
        [2_500, 99.8, -1],
        [3_000, 99.85, -1],
        [60_000, 100],
      ],
      [
        [100, 99.9, 100.1],
        [1_200, 99.9, 100.1],
        [2_700, 99.9, 100.1],
      ],
    )
    const fills = (latencyMs: number) => fillsIn(runBacktest(tickBacktest(maker, ticks, { latencyMs })))
    expect(fills(0)).toEqual(['buy 1 at 99.9 maker, 2500'])
    expect(fills(1_600)).toEqual(['buy 1 at 99.9 maker, 3000'])
  })

  it('decide when they show a trade, not when it happened', () => {
    const follower = defineStrategy({
      name: 'follower',
      feeds: () => ({ tape: trades({ everyMs: 1_000 }) }),
      on: { tape: ({ price }) => (price === 101 ? enterLong() : undefined) },
    })
    // The trade of 400 is shown at 1000, so that an order is live at 1600.
    const rows: readonly TradeRow[] = [
      [0, 100],
      [400, 101],
      [1_500, 102],
      [1_600, 103],
      [60_000, 100],
    ]
    const backtest = tickBacktest(follower, ticksOf(rows), { latencyMs: 600 })
    expect(fillsIn(runBacktest(backtest))).toEqual(['buy 1 at 103 taker, 1600'])
  })

  it('are refused where a book is followed that nobody recorded', () => {
    const deep = defineStrategy({ name: 'deep', feeds: () => ({ book: depth({ levels: 1, everyMs: 100 }) }) })
    expect(() => runBacktest(tickBacktest(deep, ticksOf(TRADES)))).toThrow(
      'The feed "book" of strategy "deep" shows the order book, of which trades of BTC/USDT tell nothing; give the best bids and asks that were recorded with them, as --book FILE.',
    )
  })
})
