import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import { SharedLiquidity } from '../../src/matching/shared-liquidity.ts'
import type { MatchingKind } from '../../src/matching/working-order.ts'
import { MatchedMarket } from './matched-market.ts'

/** A market on which each of so many strategies has a matching; all of them share what is there. */
class SharedMarket {
  readonly markets: readonly MatchedMarket[]

  constructor(count: number) {
    const shared = new SharedLiquidity()
    this.markets = Array.from({ length: count }, () => new MatchedMarket('shown', shared))
  }

  /** Lets each of them do the same, one after the other. */
  each(observe: (market: MatchedMarket) => void): void {
    for (const market of this.markets) observe(market)
  }

  get told(): readonly string[] {
    return this.markets.flatMap(market => market.told)
  }
}

describe('two matchings on one market', () => {
  it('take what an order book shows once, and the one that is told it first takes it first', () => {
    const shared = new SharedMarket(2)
    const [first, second] = shared.markets
    first?.send('a', 'buy', 4, undefined, 0)
    second?.send('b', 'buy', 4, undefined, 0)
    shared.each(market => market.book(1, [[99, 9]], [[101, 5]]))
    expect(shared.told).toEqual(['a 4@101 taker walked', 'a over', 'b 1@101 taker walked', 'b over'])
  })

  it('go on withholding what was taken until others have traded more there, each trade counted once', () => {
    const shared = new SharedMarket(2)
    const [first, second] = shared.markets
    first?.send('a', 'buy', 4, undefined, 0)
    shared.each(market => market.book(1, [[99, 9]], [[101, 6]]))
    // Two of the six were left for others, who bought three: one of these was new, and is there for b as well.
    shared.each(market => market.trade(2, 'buy', 101, 3))
    second?.send('b', 'buy', 9, undefined, 2)
    shared.each(market => market.book(3, [[99, 9]], [[101, 6]]))
    expect(shared.told.slice(2)).toEqual(['b 3@101 taker walked', 'b over'])
  })

  it('share what a trade, and what the minute of a gap has for orders that rest', () => {
    const shared = new SharedMarket(2)
    const [first, second] = shared.markets
    first?.send('a', 'buy', 5, 100, 0)
    second?.send('b', 'buy', 5, 100, 0)
    shared.each(market => market.book(0, [[98, 1]], [[110, 1]]))
    shared.each(market => market.trade(1, 'sell', 99, 7))
    expect(shared.told).toEqual(['a 5@100 maker tradedThrough', 'a over', 'b 2@100 maker tradedThrough'])
    const minute = { openTime: 60_000, high: ticks(100), low: ticks(90), close: ticks(95), volume: steps(2) }
    first?.send('c', 'buy', 1, 99, 2)
    shared.each(market => market.book(3, [[98, 1]], [[110, 1]]))
    const gap = { from: 60_000, until: 119_999, reason: 'It was away.', minutes: [minute] }
    shared.each(market => market.matching.observeGap(gap, 120_000))
    expect(shared.told.slice(2)).toEqual([
      ...['c 1@99 maker gapMinute', 'c over'],
      ...['b 2@100 maker tradedThrough', 'b 1@100 maker gapMinute'],
    ])
  })

  const order = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    /** Ticks by which its price is worse than the best of all. */
    worse: fc.integer({ min: 0, max: 6 }),
    kind: fc.constantFrom<MatchingKind>('limit', 'postOnly', 'immediate', 'fillOrKill'),
  })
  const price = fc.integer({ min: 92, max: 108 })
  const trade = fc.record({
    side: fc.constantFrom<Side>('buy', 'sell'),
    price,
    quantity: fc.integer({ min: 1, max: 20 }),
  })
  const book = fc.record({
    middle: price,
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 6, maxLength: 6 }),
  })
  const seen = fc.array(fc.record({ trade, book, isBook: fc.boolean() }), { minLength: 1, maxLength: 20 })

  it('fill as one matching fills the orders of both, where none of the second goes before one of the first', () => {
    fc.assert(
      fc.property(
        fc.array(order, { maxLength: 6 }),
        fc.constantFrom<Side>('buy', 'sell'),
        fc.nat({ max: 6 }),
        fc.boolean(),
        seen,
        (given, side, ofFirst, hasBooks, all) => {
          const [shared, alone] = [new SharedMarket(2), new MatchedMarket()]
          const orders = given.toSorted((left, right) => left.worse - right.worse)
          orders.forEach(({ quantity, worse, kind }, index) => {
            const limit = side === 'buy' ? 103 - worse : 97 + worse
            // Without order books one that must not rest arrives later than one that rests.
            for (const market of [shared.markets[index < ofFirst ? 0 : 1], alone])
              market?.send(`o${index}`, side, quantity, limit, 0, hasBooks ? kind : 'limit')
          })
          all.forEach((one, time) => {
            const observe = (market: MatchedMarket) => {
              const { side: taker, price: at, quantity } = one.trade
              const { middle, sizes } = one.book
              const levels = sizes.map((size, place) => [middle + (LEVELS[place] as number), size] as const)
              if (!hasBooks) market.loneTrade(time, taker, at, quantity)
              else if (one.isBook) market.book(time, levels.slice(0, 3), levels.slice(3))
              else market.trade(time, taker, at, quantity)
            }
            shared.each(observe)
            observe(alone)
          })
          expect(shared.told.toSorted()).toEqual(alone.told.toSorted())
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/** Distances of three bids and three asks from the middle, the best of each first. */
const LEVELS = [-1, -2, -3, 1, 2, 3]
