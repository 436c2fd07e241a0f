import { describe, expect, it } from 'vitest'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { cancelEntries, enterLong, enterShort, exit, keepQuotes } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { orderEnds, scriptedWithEnds } from '../fills/order-ends.ts'
import {
  type BookRow,
  fillsIn,
  playTicks,
  saying,
  type TopRow,
  type TradeRow,
  tickBacktest,
  ticksOf,
  ticksWithBooks,
} from './tick-run.ts'

/** A first minute at 100, and an end; what happens in between is the case. */
const START: TradeRow = [0, 100]
const END: TradeRow = [180_000, 100]
const during = (trades: readonly TradeRow[], tops?: readonly TopRow[]) =>
  ticksOf([START, ...trades, END], tops)
const duringBooks = (trades: readonly TradeRow[], books: readonly BookRow[]) =>
  ticksWithBooks([START, ...trades, END], books)

const limit = (price: number, terms: object = {}) => enterLong({ order: { type: 'limit', price, ...terms } })

describe('an order at market, where order books were recorded', () => {
  const books: BookRow[] = [
    [59_000, [[99, 9]], [[100, 9]]],
    [
      60_500,
      [
        [99.5, 1],
        [99, 3],
      ],
      [
        [100.5, 2],
        [101, 3],
      ],
    ],
  ]

  it('walks the first book at or after its arrival, and ends with what that shows', () => {
    const ticks = duringBooks([[60_200, 102]], books)
    // 2 + 3 are shown; the trade of 60200 tells nothing of what is offered.
    expect(playTicks(saying(enterLong({ size: { base: 4 } })), ticks)).toEqual([
      'buy 2 at 100.5 taker, 60500',
      'buy 2 at 101 taker, 60500',
    ])
    const much = runBacktest(tickBacktest(saying(enterLong({ size: { base: 8 } })), ticks))
    expect(fillsIn(much)).toEqual(['buy 2 at 100.5 taker, 60500', 'buy 3 at 101 taker, 60500'])
    expect(much.workingOrders).toBe(0)
    expect(playTicks(saying(enterShort({ size: { base: 2 } })), ticks)).toEqual([
      'sell 1 at 99.5 taker, 60500',
      'sell 1 at 99 taker, 60500',
    ])
  })

  it('comes after its latency: the book of before passes it by', () => {
    const later: BookRow = [60_700, [[99, 9]], [[103, 9]]]
    expect(playTicks(saying(enterLong()), duringBooks([], [...books, later]), { latencyMs: 501 })).toEqual([
      'buy 1 at 103 taker, 60700',
    ])
  })

  it('finds withheld what an order before it has taken', () => {
    const again: BookRow = [120_500, [[99, 3]], [[100.5, 2]]]
    const strategy = saying(enterLong(), enterLong({ size: { base: 9 }, scaleIn: true }))
    // 1 of 2 was taken at 60500. At 120500 the same 2 are shown, of which 1 is still there.
    expect(playTicks(strategy, duringBooks([], [...books, again]))).toEqual([
      'buy 1 at 100.5 taker, 60500',
      'buy 1 at 100.5 taker, 120500',
    ])
  })

  it('names the book and the arrival as evidence', () => {
    const backtest = tickBacktest(saying(enterLong()), duringBooks([], books), { latencyMs: 200 })
    const [fill] = runBacktest(backtest).fills
    expect(fill).toMatchObject({
      rule: 'walked',
      evidence: {
        ...{ rule: 'walked', snapshot: 60_500, arrivedAt: 60_200, tradeIds: [], assumption: 'shown' },
      },
    })
  })
})

describe('an order at market, where trades are all that was recorded', () => {
  it('goes beside the next taker of its side, also one of the very moment of the decision', () => {
    expect(playTicks(saying(enterLong()), during([[60_500, 101]]))).toEqual(['buy 1 at 101 taker, 60500'])
    expect(playTicks(saying(enterLong()), during([[60_000, 101]]))).toEqual(['buy 1 at 101 taker, 60000'])
    const trades: TradeRow[] = [
      [60_500, 101],
      [60_600, 100, -1],
    ]
    expect(playTicks(saying(enterShort()), during(trades))).toEqual(['sell 1 at 100 taker, 60600'])
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

  it('takes the size of a trade at most, and goes on beside the next', () => {
    const trades: TradeRow[] = [
      [60_500, 101, 0.4],
      [60_500, 102, 0.2],
      [60_600, 103, -8],
      [60_700, 104, 8],
    ]
    expect(playTicks(saying(enterLong()), during(trades))).toEqual([
      'buy 0.4 at 101 taker, 60500',
      'buy 0.2 at 102 taker, 60500',
      'buy 0.4 at 104 taker, 60700',
    ])
  })
})

describe('a limit order', () => {
  it('rests behind the quantity that is shown at its price, by the assumption of the queue', () => {
    const books: BookRow[] = [
      [60_500, [[99, 5]], [[101, 5]]],
      [61_500, [[99, 5]], [[101, 5]]],
    ]
    const trades: TradeRow[] = [
      [61_000, 99, -4],
      [62_000, 99, -3],
      [63_000, 98.5, -2],
    ]
    const ticks = duringBooks(trades, books)
    const fills = (queue: 'front' | 'shown' | 'back') => playTicks(saying(limit(99)), ticks, { queue })
    // front: the first sale. shown: 5 - 4 = 1 is ahead of the sale of 3. back: 5 again, 3 of which are sold to.
    expect(fills('front')).toEqual(['buy 1 at 99 maker, 61000'])
    expect(fills('shown')).toEqual(['buy 1 at 99 maker, 62000'])
    expect(fills('back')).toEqual(['buy 1 at 99 maker, 63000'])
  })

  it('fills when the other side of the book moves through it', () => {
    const tops: TopRow[] = [
      [60_500, 99.9, 100.1],
      [61_000, 98.9, 99],
      [62_000, 98.8, 98.9],
    ]
    expect(playTicks(saying(limit(99)), during([], tops))).toEqual(['buy 1 at 99 maker, 62000'])
  })

  it('takes at once what is offered within its price when it comes', () => {
    const tops: TopRow[] = [[60_500, 99.9, 100.1]]
    expect(playTicks(saying(limit(100.5)), during([[60_400, 101]], tops))).toEqual([
      'buy 1 at 100.1 taker, 60500',
    ])
  })

  it('without books fills when a trade goes through it, not when one only touches it', () => {
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 99, -1],
      [62_000, 98.99, -1],
    ]
    expect(playTicks(saying(limit(99)), during(trades))).toEqual(['buy 1 at 99 maker, 62000'])
    expect(playTicks(saying(limit(99)), during(trades), { queue: 'front' })).toEqual([
      'buy 1 at 99 maker, 61000',
    ])
  })

  it('without books takes beside a taker of its side within its price, and rests otherwise', () => {
    expect(playTicks(saying(limit(100.5)), during([[60_500, 100.2]]))).toEqual([
      'buy 1 at 100.2 taker, 60500',
    ])
    // A purchase at 101 shows that nothing was offered at 100.5; the one at 100.4 would have met it there.
    const trades: TradeRow[] = [
      [60_500, 101],
      [61_000, 100.4],
    ]
    expect(playTicks(saying(limit(100.5)), during(trades))).toEqual(['buy 1 at 100.5 maker, 61000'])
  })

  it('is canceled if it must not take and would', () => {
    const tops: TopRow[] = [[60_500, 99.9, 100.4]]
    const run = (price: number) =>
      runBacktest(tickBacktest(saying(limit(price, { postOnly: true })), during([], tops)))
    expect([fillsIn(run(100.4)), run(100.4).workingOrders]).toEqual([[], 0])
    expect([fillsIn(run(100.3)), run(100.3).workingOrders]).toEqual([[], 1])
  })

  it('keeps an IOC order for one book', () => {
    const tops: TopRow[] = [
      [60_500, 99.9, 100.1],
      [61_000, 98, 98.1],
    ]
    expect(playTicks(saying(limit(99.5, { timeInForce: 'IOC' })), during([], tops))).toEqual([])
  })

  it('trades until its cancel has arrived', () => {
    const quote = (price: number) => keepQuotes([{ side: 'buy', price, size: { base: 1 } }])
    const trades: TradeRow[] = [
      [60_900, 100],
      [120_500, 98.5, -1],
      [121_000, 97, -1],
    ]
    const strategy = () => saying(quote(99), quote(98))
    // Replaced at 120000. With 700 ms on the way, the sale of 120500 still meets the bid of 99, which is the whole quote.
    expect(playTicks(strategy(), during(trades), { latencyMs: 700 })).toEqual(['buy 1 at 99 maker, 120500'])
    expect(playTicks(strategy(), during(trades))).toEqual(['buy 1 at 98 maker, 121000'])
  })
})

describe('what protects a position', () => {
  it('waits for a trade at its price, and walks the book after that', () => {
    const tops: TopRow[] = [
      [60_400, 99.9, 100.1],
      [61_000, 94, 96],
      [63_000, 94.5, 94.7],
      [65_000, 94.2, 94.4],
    ]
    const trades: TradeRow[] = [
      [62_000, 95.5],
      [64_000, 95],
    ]
    expect(playTicks(saying(enterLong({ stopLoss: 95 })), during(trades, tops))).toEqual([
      'buy 1 at 100.1 taker, 60400',
      'sell 1 at 94.2 taker, 65000',
    ])
  })

  it('takes its profit when that is bid, and waits again if it came too late', () => {
    const tops: TopRow[] = [
      [60_400, 99.9, 100.1],
      [61_000, 101, 101.2],
      [62_000, 100.8, 101],
      [63_000, 101.1, 101.3],
      [64_000, 101.2, 101.4],
    ]
    // Sent at 61000, it meets 100.8 at 62000 and ends; the next one is sent at 63000 and meets 101.2.
    expect(playTicks(saying(enterLong({ takeProfit: 101 })), during([], tops))).toEqual([
      'buy 1 at 100.1 taker, 60400',
      'sell 1 at 101.2 taker, 64000',
    ])
  })

  it('follows the best trade with a trailing stop', () => {
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 104],
      [62_000, 102.01],
      [63_000, 102, -1],
      [64_000, 101.9, -1],
    ]
    // 104 - 2 is 102, which is traded at 63000; the next seller gets 101.9.
    expect(playTicks(saying(enterLong({ trailingStop: { distance: 2 } })), during(trades))).toEqual([
      'buy 1 at 100 taker, 60500',
      'sell 1 at 101.9 taker, 64000',
    ])
  })

  it('begins to trail with the trade that reaches the activation', () => {
    // 102.9 - 2 is 100.9, but it does not exist before 103; then it is at 101.
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 102.9],
      [62_000, 100.5, -1],
      [63_000, 103],
      [64_000, 101.01],
      [65_000, 100.8, -1],
      [66_000, 100.7, -1],
    ]
    const signal = enterLong({ trailingStop: { distance: 2, activation: 103 } })
    expect(playTicks(saying(signal), during(trades))).toEqual([
      'buy 1 at 100 taker, 60500',
      'sell 1 at 100.7 taker, 66000',
    ])
  })

  it('closes again what a thin book left', () => {
    const books: BookRow[] = [
      [60_400, [[99, 5]], [[100, 5]]],
      [62_000, [[94, 1]], [[96, 5]]],
      [63_000, [[93, 5]], [[96, 5]]],
      [64_000, [[92, 5]], [[96, 5]]],
    ]
    const trades: TradeRow[] = [
      [61_000, 95, -1],
      [63_500, 95, -1],
    ]
    const signal = enterLong({ size: { base: 3 }, stopLoss: 95 })
    // 1 is bid for at 62000. A new stop for the other 2 is sent at its first look, at 62000, and meets 63000.
    expect(playTicks(saying(signal), duringBooks(trades, books))).toEqual([
      'buy 3 at 100 taker, 60400',
      'sell 1 at 94 taker, 62000',
      'sell 2 at 93 taker, 63000',
    ])
  })
})

it('an entry at a stop that is taken back is not sent by a later trade at its price', () => {
  const breakout = enterLong({ order: { type: 'stop', stopPrice: 105 }, keep: true })
  const trades: TradeRow[] = [
    [60_500, 104],
    [120_500, 105],
    [121_000, 106],
  ]
  expect(playTicks(saying(breakout), during(trades))).toEqual(['buy 1 at 106 taker, 121000'])
  expect(playTicks(saying(breakout, cancelEntries()), during(trades))).toEqual([])
})

describe('the end of the data', () => {
  it.each(['lastClose', 'lastOpen'] as const)(
    'closes what is held at what is bid then, after everything else, with %s',
    closeAtEnd => {
      const tops: TopRow[] = [
        [60_500, 99.9, 100.1],
        [150_000, 99.8, 100],
      ]
      const backtest = tickBacktest(saying(enterLong()), during([[150_000, 101]], tops))
      // The last kline is the third minute.
      expect(fillsIn(runBacktest({ ...backtest, closeAtEnd }))).toEqual([
        'buy 1 at 100.1 taker, 60500',
        'sell 1 at 99.8 taker, 180000',
      ])
    },
  )
})

describe('an order at market that the book does not cover', () => {
  it('ends with what it got, and leaves nothing of the rest to trade at the end of the data', () => {
    const books: BookRow[] = [[60_500, [[99, 9]], [[101, 5]]]]
    const script = { 0: enterLong({ size: { base: 8 } }), 2: exit() }
    const strategy = scriptedWithEnds(script)
    const options = tickBacktest(strategy, duringBooks([], [...books, [179_500, [[98, 9]], [[101, 5]]]]))
    // Of 8 the book shows 5; the exit of these comes with the last kline, and closes them at what is bid.
    const result = runBacktest({ ...options, closeAtEnd: 'lastClose' })
    expect(fillsIn(result)).toEqual(['buy 5 at 101 taker, 60500', 'sell 5 at 98 taker, 180000'])
    expect(orderEnds(strategy)).toEqual(['canceled', 'filled'])
    expect(result.workingOrders).toBe(0)
  })
})

describe('an exit whose entry fills in parts', () => {
  const trades: TradeRow[] = [
    [60_500, 100, 0.4],
    [60_600, 100, 9],
    [90_000, 95, -9],
    [91_000, 94, -9],
  ]

  it('at a stop closes all that its entry has bought by then, and depends on no path', () => {
    const result = runBacktest(tickBacktest(saying(enterLong({ stopLoss: 95 })), during(trades)))
    expect(result.ambiguousRoundTrips).toEqual([])
    expect(fillsIn(result)).toEqual([
      'buy 0.4 at 100 taker, 60500',
      'buy 0.6 at 100 taker, 60600',
      'sell 1 at 94 taker, 91000',
    ])
  })
})

it('a stop-limit order rests at its limit where more is asked when its stop is traded', () => {
  const signal = enterLong({ order: { type: 'stopLimit', stopPrice: 105, price: 105.5 } })
  const tops: TopRow[] = [
    [60_400, 104, 104.2],
    [62_000, 105.8, 106],
    [63_000, 105.2, 105.4],
    [64_000, 105, 105.3],
  ]
  // Sent at 61000, it takes nothing at 106; at 63000 the book has moved through it.
  expect(playTicks(saying(signal), during([[61_000, 105]], tops))).toEqual(['buy 1 at 105.5 maker, 63000'])
})

describe('quotes on ticks', () => {
  it('fill one after the other, and stay as they are while nothing changes', () => {
    const set = keepQuotes([
      { side: 'buy', price: 99, size: { base: 1 } },
      { side: 'sell', price: 101, size: { base: 1 } },
    ])
    const trades: TradeRow[] = [
      [60_500, 100],
      [61_000, 98.5, -1],
      [62_000, 101.5],
      [63_000, 98.5, -1],
      [64_000, 100],
      [121_000, 98.5, -1],
    ]
    const result = runBacktest(tickBacktest(saying(set, set, exit()), during(trades)))
    expect(fillsIn(result)).toEqual([
      'buy 1 at 99 maker, 61000',
      'sell 1 at 101 maker, 62000',
      'buy 1 at 99 maker, 121000',
    ])
  })
})

describe('an order that is on its way to the market', () => {
  const LATE = { latencyMs: 1000 } as const

  it('closes only what is left of its position when it comes: an exit before it took the rest', () => {
    const strategy = saying(enterLong({ size: { base: 4 }, stopLoss: 95 }), exit({ fraction: 0.5 }))
    const trades: TradeRow[] = [
      [61_500, 100, 9],
      // Sends the stop-loss, which arrives at 121,500; the exit of half arrives at 121,000.
      [120_500, 94, -1],
      [121_200, 94, -9],
      [121_800, 93, -9],
    ]
    expect(playTicks(strategy, during(trades), LATE)).toEqual([
      'buy 4 at 100 taker, 61500',
      'sell 2 at 94 taker, 121200',
      'sell 2 at 93 taker, 121800',
    ])
  })

  it('does not come at all where an exit before it closed its whole position', () => {
    const strategy = saying(enterLong({ size: { base: 4 }, stopLoss: 95 }), exit())
    const trades: TradeRow[] = [
      [61_500, 100, 9],
      [120_500, 94, -1],
      [121_200, 94, -9],
      [121_800, 93, -9],
    ]
    const result = runBacktest(tickBacktest(strategy, during(trades), LATE))
    expect(fillsIn(result)).toEqual(['buy 4 at 100 taker, 61500', 'sell 4 at 94 taker, 121200'])
    expect(result.workingOrders).toBe(0)
  })

  it('is over with the data, also where only its cancel was on its way', () => {
    const strategy = saying(enterLong(), enterLong({ scaleIn: true, order: { type: 'limit', price: 90 } }))
    const options = tickBacktest(strategy, during([[61_500, 100, 9]]), LATE)
    const result = runBacktest({ ...options, closeAtEnd: 'lastClose' })
    expect(result.workingOrders).toBe(0)
    expect(fillsIn(result).map(text => text.replace(/, .*/, ''))).toEqual([
      'buy 1 at 100 taker',
      'sell 1 at 100 taker',
    ])
  })
})

it('meets a recorded session anew in each run, so that one backtest changes nothing in another', () => {
  const order = {
    symbol: MARGIN.symbol,
    side: 'buy',
    kind: 'limit',
    amount: undefined,
    limit: undefined,
  } as const
  const session = [60, 150, 240, 330, 420].map((delay, index) => ({
    ...order,
    ...{ type: 'order' as const, order: `${index}`, clientOrderId: undefined, quantity: '9' },
    ...{ at: 1000, arrivesAt: 1000 + delay },
  }))
  const trades = Array.from({ length: 50 }, (_, index): TradeRow => [60_000 + 10 * index, 101 + index])
  const ticks = { ...during(trades), session: { id: 'session', rows: session } }
  const first = playTicks(saying(enterLong()), ticks)
  expect(first).toHaveLength(1)
  expect(playTicks(saying(enterLong()), ticks)).toEqual(first)
})
