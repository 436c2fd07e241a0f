import { describe, expect, test } from 'vitest'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { MatchedMarket } from './matched-market.ts'

describe('an order that takes', () => {
  test('walks the first snapshot at or after its arrival, not the one before', () => {
    const market = new MatchedMarket()
    market.book(1000, [[99, 5]], [[100, 5]])
    market.send('a', 'buy', 3, 105, 1501)
    market.book(1500, [[99, 5]], [[100, 5]])
    market.book(2000, [[100, 5]], [[101, 5]])
    // Until 1500 the ask was 100, but the order arrived at 1501.
    expect(market.told).toEqual(['a 3@101 taker walked', 'a over'])
    expect(market.evidence[0]).toMatchObject({ snapshot: 2000, arrivedAt: 1501, tradeIds: [] })
  })

  test('on a thin book gets what is shown and no more', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 10, undefined, 1, 'immediate')
    market.book(
      1000,
      [],
      [
        [100, 2],
        [103, 1],
      ],
    )
    // 2 + 1 are shown; the other 7 are canceled.
    expect(market.told).toEqual(['a 2@100 taker walked', 'a 1@103 taker walked', 'a over'])
  })

  test('of a large limit order rests with what is left, behind nothing', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 10, 101, 1)
    market.book(
      1000,
      [[99, 5]],
      [
        [100, 2],
        [101, 3],
        [102, 9],
      ],
    )
    // 2 + 3 within the limit, 5 rest at 101, where no bid is shown: a sale of 4 there is ours.
    market.trade(1500, 'sell', 101, 4)
    expect(market.told).toEqual(['a 2@100 taker walked', 'a 3@101 taker walked', 'a 4@101 maker queued 0>0'])
  })

  test('or nothing: fill-or-kill needs all of it, a post-only order must not take', () => {
    const market = new MatchedMarket()
    market.send('fok', 'sell', 6, 98, 1, 'fillOrKill')
    market.send('ok', 'sell', 5, 98, 2, 'fillOrKill')
    market.send('post', 'sell', 1, 99, 3, 'postOnly')
    market.book(
      1000,
      [
        [99, 2],
        [98, 3],
        [97, 9],
      ],
      [[100, 5]],
    )
    // 2 + 3 = 5 bids at 98 or better. The post-only order meets the bid of 99.
    expect(market.told).toEqual([
      'fok over',
      'ok 2@99 taker walked',
      'ok 3@98 taker walked',
      'ok over',
      'post over',
    ])
  })
})

describe('what was taken', () => {
  test('is withheld while the host shows it again', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 4, 100, 1, 'immediate')
    market.book(
      1000,
      [],
      [
        [100, 5],
        [101, 9],
      ],
    )
    market.send('b', 'buy', 4, 100, 1001, 'immediate')
    market.book(
      2000,
      [],
      [
        [100, 5],
        [101, 9],
      ],
    )
    // 5 are shown as before, and 4 of them are ours already: 1 is left.
    expect(market.told).toEqual(['a 4@100 taker walked', 'a over', 'b 1@100 taker walked', 'b over'])
  })

  test('comes back as far as the quantity grows', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 100, 1, 'immediate')
    market.book(1000, [], [[100, 5]])
    market.send('b', 'buy', 9, 100, 1001, 'immediate')
    market.book(2000, [], [[100, 7]])
    // 7 - 5 = 2 are new.
    expect(market.told.at(-2)).toBe('b 2@100 taker walked')
  })

  test('comes back as far as others traded there and the quantity is still shown', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 100, 1, 'immediate')
    market.book(1000, [], [[100, 5]])
    market.trade(1500, 'buy', 100, 3)
    market.send('b', 'buy', 9, 100, 1501, 'immediate')
    market.book(2000, [], [[100, 5]])
    // 5 - 3 = 2 would be left without new supply; 5 are shown, so 3 are new.
    expect(market.told.at(-2)).toBe('b 3@100 taker walked')
  })

  test('is forgotten once the level was gone', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 100, 1, 'immediate')
    market.book(1000, [], [[100, 5]])
    market.book(2000, [], [[101, 5]])
    market.send('b', 'buy', 9, 100, 2001, 'immediate')
    market.book(3000, [], [[100, 5]])
    expect(market.told.at(-2)).toBe('b 5@100 taker walked')
  })
})

describe('an order that rests', () => {
  test('waits behind the quantity that was shown, then fills by the size of the trades', () => {
    const market = new MatchedMarket()
    const order = market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 10]], [[100, 5]])
    market.trade(1100, 'sell', 99, 6) // 4 ahead
    market.trade(1200, 'sell', 99, 6) // 4 of it to those ahead, 2 to us
    market.trade(1300, 'buy', 100, 9) // the other side
    market.trade(1400, 'sell', 99, 9) // 3 left to fill
    expect(market.told).toEqual(['a 2@99 maker queued 4>0', 'a 3@99 maker queued 0>0', 'a over'])
    expect(market.evidence.map(({ tradeIds }) => tradeIds)).toEqual([['t2'], ['t4']])
    expect(order.open).toBe(0)
  })

  test.each([
    ['front', ['a 5@99 maker queued 0>0', 'a over']],
    ['shown', ['a 2@99 maker queued 4>0']],
    ['back', []],
  ] as const)('%s: the queue is an assumption', (assumption, told) => {
    const market = new MatchedMarket(assumption)
    market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 10]], [[100, 5]])
    if (assumption !== 'front') market.trade(1100, 'sell', 99, 6)
    market.book(1500, [[99, 14]], [[100, 5]])
    // front: nothing is ahead, all 5 fill. shown: 10 - 6 = 4 ahead. back: the 14 that are shown now are ahead.
    market.trade(1600, 'sell', 99, 6)
    expect(market.told).toEqual(told)
  })

  test('has no more ahead than a later snapshot shows, and a trade that is told late counts once', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 10]], [[100, 5]])
    market.book(2000, [[99, 4]], [[100, 5]])
    market.trade(1500, 'sell', 99, 6) // told now: the 4 at 2000 are what it left
    market.trade(2100, 'sell', 99, 5)
    // 4 ahead at 2000; 5 traded since.
    expect(market.told).toEqual(['a 1@99 maker queued 4>0'])
  })

  test('fills by the size of a trade beyond its price, whatever the queue', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 10]], [[100, 5]])
    market.trade(1100, 'sell', 98, 3)
    expect(market.told).toEqual(['a 3@99 maker tradedThrough'])
  })

  test('fills by the size of opposite quotes beyond its price, each of them once', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 10]], [[100, 5]])
    market.book(
      2000,
      [[96, 1]],
      [
        [97, 1],
        [98, 2],
        [99, 8],
      ],
    )
    // 97 and 98 are below 99: 1 + 2. At 2500 they are shown still, and are ours.
    market.book(
      2500,
      [[96, 1]],
      [
        [97, 1],
        [98, 2],
        [99, 8],
      ],
    )
    expect(market.told).toEqual(['a 1@99 maker quotedThrough', 'a 2@99 maker quotedThrough'])
  })

  test('three at one price share a trade in the order of their arrival', () => {
    const market = new MatchedMarket()
    market.send('c', 'sell', 3, 101, 30)
    market.send('a', 'sell', 2, 101, 10)
    market.send('b', 'sell', 2, 101, 20)
    market.book(1000, [[99, 5]], [[101, 4]])
    market.trade(1100, 'buy', 101, 7)
    // 4 to those ahead, 2 to a, 1 to b; nothing reaches c.
    market.trade(1200, 'buy', 102, 3)
    // Beyond the price: 1 to b, 2 to c.
    expect(market.told).toEqual([
      'a 2@101 maker queued 4>0',
      'a over',
      'b 1@101 maker queued 4>0',
      'b 1@101 maker tradedThrough',
      'b over',
      'c 2@101 maker tradedThrough',
    ])
  })

  test('deeper than the snapshot reaches waits for its price to be shown', () => {
    const market = new MatchedMarket()
    const deep = Array.from({ length: 20 }, (_, index) => [99 - index, 5] as const)
    market.send('a', 'buy', 5, 79, 1)
    market.book(1000, deep, [[100, 5]]) // down to 80
    market.trade(1100, 'sell', 79, 50)
    expect(market.told).toEqual([])
    market.book(
      2000,
      [
        [80, 1],
        [79, 2],
      ],
      [[100, 5]],
    )
    market.trade(2100, 'sell', 79, 3)
    expect(market.told).toEqual(['a 1@79 maker queued 2>0'])
  })

  test('ends at the first snapshot after its cancel arrives; what traded before that is its own', () => {
    const market = new MatchedMarket()
    const order = market.send('a', 'buy', 5, 99, 1)
    market.book(1000, [[99, 1]], [[100, 5]])
    market.matching.cancel(order, 1500)
    market.trade(1400, 'sell', 99, 3)
    market.trade(1600, 'sell', 98, 3)
    market.book(2000, [[99, 1]], [[100, 5]])
    expect(market.told).toEqual(['a 2@99 maker queued 1>0', 'a over'])
  })

  test('ends ten seconds after its cancel where the host shows nothing', () => {
    const market = new MatchedMarket()
    const order = market.send('a', 'buy', 5, 99, 1)
    market.matching.cancel(order, 1500)
    market.matching.pass(11_499)
    expect(market.told).toEqual([])
    market.matching.pass(11_500)
    expect(market.told).toEqual(['a over'])
  })
})

describe('a gap', () => {
  const minute = (openTime: number, low: number, high: number, volume: number, close = low) => ({
    openTime,
    low: ticks(low),
    high: ticks(high),
    close: ticks(close),
    volume: steps(volume),
  })
  const gap = (...minutes: ReturnType<typeof minute>[]) => ({
    from: 0,
    until: 1,
    reason: 'Silence.',
    minutes,
  })

  test('fills what whole minutes went through, by their volume that no known trade explains', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 99, 1)
    market.send('b', 'sell', 5, 110, 2)
    market.book(50_000, [[99, 1]], [[100, 5]])
    market.trade(61_000, 'buy', 100, 4)
    market.matching.observeGap(gap(minute(60_000, 98, 110, 6)), 130_000)
    // 98 is below 99, and 6 - 4 = 2 are unknown. 110 is only touched.
    expect(market.told).toEqual(['a 2@99 maker gapMinute'])
    expect(market.evidence[0]).toMatchObject({ minute: 60_000, gap: 'Silence.' })
  })

  test('says nothing of an order by a minute that began before it rested, or only touched it', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, 99, 1)
    market.book(70_000, [[99, 1]], [[100, 5]])
    market.matching.observeGap(gap(minute(60_000, 90, 100, 50), minute(120_000, 99, 100, 50)), 190_000)
    expect(market.told).toEqual([])
  })

  /** 20 bought at 98 and 353 sold at 103, at rest since 50 s. */
  const twoSided = () => {
    const market = new MatchedMarket()
    market.send('bid', 'buy', 20, 98, 1)
    market.send('ask', 'sell', 353, 103, 2)
    market.book(50_000, [[97, 1]], [[104, 1]])
    return market
  }

  test.each([
    // The bid is worth 97 - 98 = -1 at the close, the ask 103 - 97 = 6: 20 to the bid, 84 - 20 = 64 to the ask.
    [97, ['bid 20@98 maker gapMinute', 'bid over', 'ask 64@103 maker gapMinute']],
    // The ask is worth 103 - 104 = -1, the bid 104 - 98 = 6: all 84 to the ask.
    [104, ['ask 84@103 maker gapMinute']],
  ])(
    'shares its volume between both sides, the fill that is worst at the close of %d first',
    (close, told) => {
      const market = twoSided()
      market.matching.observeGap(gap(minute(60_000, 97, 104, 84, close)), 130_000)
      expect(market.told).toEqual(told)
    },
  )

  test('that shares a minute with another one has what the other left of its volume', () => {
    const market = twoSided()
    market.matching.observeGap(gap(minute(60_000, 90, 100, 15)), 130_000)
    market.matching.observeGap(gap(minute(60_000, 90, 100, 15)), 131_000)
    const next = new MatchedMarket()
    next.matching.restore(market.matching.dump())
    next.matching.observeGap(gap(minute(60_000, 90, 100, 17)), 132_000)
    expect([market.told, next.told]).toEqual([['bid 15@98 maker gapMinute'], ['bid 2@98 maker gapMinute']])
  })

  test('of many minutes leaves the trades of this one known', () => {
    const market = twoSided()
    market.trade(900_000, 'buy', 100, 4)
    const before = Array.from({ length: 14 }, (_, index) => minute(60_000 * (index + 1), 90, 100, 1))
    market.matching.observeGap(gap(...before, minute(900_000, 90, 100, 6)), 970_000)
    // One of each minute; of the last one 6 - 4 = 2 are unknown.
    expect(market.told).toEqual([...Array(14).fill('bid 1@98 maker gapMinute'), 'bid 2@98 maker gapMinute'])
  })
})

test('a crossed book is of two moments: it fills nothing, and orders wait for the next one', () => {
  const market = new MatchedMarket()
  market.send('a', 'buy', 5, 99, 1)
  market.book(1000, [[99, 1]], [[100, 5]])
  market.send('b', 'buy', 1, 200, 1001)
  market.book(2000, [[101, 1]], [[95, 5]])
  expect(market.told).toEqual([])
  market.book(3000, [[101, 1]], [[102, 5]])
  expect(market.told).toEqual(['b 1@102 taker walked', 'b over'])
})

test('goes on from a dump as if it had never stopped', () => {
  const market = new MatchedMarket()
  const resting = market.send('a', 'buy', 5, 99, 1)
  market.send('b', 'buy', 2, 100, 2, 'immediate')
  market.book(1000, [[99, 3]], [[100, 5]])
  market.trade(1100, 'sell', 99, 2)
  const state = market.matching.dump()
  const next = new MatchedMarket()
  next.matching.restore(structuredClone({ ...state, working: [] }))
  next.matching.restore({ ...state, withheld: { buy: empty, sell: empty }, known: new Map() })
  next.trade(1200, 'sell', 99, 2)
  next.send('c', 'buy', 9, 100, 1201, 'immediate')
  next.book(2000, [[99, 3]], [[100, 5]])
  // 3 - 2 = 1 ahead of a; 5 - 2 = 3 left for c.
  expect(next.told).toEqual(['a 1@99 maker queued 1>0', 'c 3@100 taker walked', 'c over'])
  expect(resting.open).toBe(4)
})

const empty = { taken: new Map(), shown: new Map(), traded: new Map() }

describe('a queue of which the book shows more and less again', () => {
  test('is as long as the least that was ahead, also for trades told late', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 9, 99, 1000)
    market.book(1000, [[99, 5]], [[100, 5]])
    market.book(2000, [[99, 8]], [[100, 5]])
    market.book(3000, [[99, 4]], [[100, 5]])
    // Told late: of the 5 of 1000, 3 are left; of the 4 of 3000, all.
    market.trade(2500, 'sell', 99, 2)
    // 3 ahead, then 1 of ours.
    market.trade(3500, 'sell', 99, 4)
    expect(market.told).toEqual(['a 1@99 maker queued 3>0'])
  })
})
