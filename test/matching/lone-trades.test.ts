import { describe, expect, test } from 'vitest'
import { MatchedMarket } from './matched-market.ts'

describe('where trades are all that is known, an order that takes', () => {
  test('at market goes beside the takers of its own side, at their prices and by their sizes', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 5, undefined, 1000, 'immediate')
    market.loneTrade(999, 'buy', 100, 9)
    market.loneTrade(1000, 'sell', 99, 9)
    market.loneTrade(1100, 'buy', 101, 3)
    market.loneTrade(1200, 'buy', 102, 9)
    // The trade of 999 came before it, and the sale of 1000 shows a bid. 3 at 101, the other 2 at 102.
    expect(market.told).toEqual(['a 3@101 taker tradedBeside', 'a 2@102 taker tradedBeside', 'a over'])
    expect(market.evidence[0]).toMatchObject({ snapshot: undefined, tradeIds: ['t3'], arrivedAt: 1000 })
  })

  test('with a limit takes within it and rests with what is left', () => {
    const market = new MatchedMarket()
    market.send('a', 'sell', 5, 98, 1000)
    market.loneTrade(1100, 'sell', 99, 2)
    market.loneTrade(1200, 'buy', 98, 9)
    market.loneTrade(1300, 'buy', 99, 1)
    // 2 were bid for at 99. 3 rest at 98: a purchase there may be of others, one at 99 went through it.
    expect(market.told).toEqual(['a 2@99 taker tradedBeside', 'a 1@98 maker tradedThrough'])
  })

  test('and must not rest ends with the first trade of its side; all or nothing needs its size', () => {
    const market = new MatchedMarket()
    market.send('ioc', 'buy', 5, 100, 1000, 'immediate')
    market.send('fok', 'buy', 5, 100, 1000, 'fillOrKill')
    market.send('post', 'buy', 5, 100, 1000, 'postOnly')
    market.loneTrade(1100, 'sell', 99, 4)
    market.loneTrade(1200, 'buy', 100, 4)
    // The sale of 1100 shows no ask, and goes through the resting 100. At 1200 4 are offered at 100.
    expect(market.told).toEqual([
      'post 4@100 maker tradedThrough',
      'ioc 4@100 taker tradedBeside',
      'ioc over',
      'fok over',
    ])
  })

  test('two orders share the size of one trade', () => {
    const market = new MatchedMarket()
    market.send('a', 'buy', 3, undefined, 1, 'immediate')
    market.send('b', 'buy', 3, undefined, 2, 'immediate')
    market.loneTrade(1000, 'buy', 100, 4)
    expect(market.told).toEqual(['a 3@100 taker tradedBeside', 'a over', 'b 1@100 taker tradedBeside'])
  })
})

describe('where trades are all that is known, an order that rests', () => {
  const rested = (queue: 'front' | 'shown' | 'back') => {
    const market = new MatchedMarket(queue)
    market.send('a', 'buy', 5, 100, 1000)
    market.loneTrade(1100, 'sell', 100, 2)
    market.loneTrade(1200, 'sell', 99, 1)
    market.loneTrade(1300, 'buy', 99, 1)
    return market.told
  }

  test('fills by trades beyond its price of either side; at its price only as the first of the queue', () => {
    // A sale at 99 would have met it at 100, and so would an offer that others bought at 99.
    const through = ['a 1@100 maker tradedThrough', 'a 1@100 maker tradedThrough']
    expect(rested('shown')).toEqual(through)
    expect(rested('back')).toEqual(through)
    expect(rested('front')).toEqual(['a 2@100 maker queued 0>0', ...through])
  })

  test('is canceled by the first trade at or after the cancel', () => {
    const market = new MatchedMarket()
    const order = market.send('a', 'buy', 5, 100, 1000)
    market.loneTrade(1100, 'sell', 101, 1)
    market.matching.cancel(order, 1200)
    market.loneTrade(1199, 'sell', 99, 1)
    market.loneTrade(1201, 'sell', 99, 1)
    expect(market.told).toEqual(['a 1@100 maker tradedThrough', 'a over'])
  })
})
