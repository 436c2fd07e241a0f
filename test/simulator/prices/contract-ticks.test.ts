import { describe, expect, it } from 'vitest'
import type { TopOfBook } from '../../../src/domain/market-data/top-of-book.ts'
import type { Trade } from '../../../src/domain/market-data/trade.ts'
import { readTopOfBookFile, readTradeFile } from '../../../src/klines/formats/read-tick-file.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'
import { flatMarket, MINUTE, START } from '../exchange-caller.ts'
import { type ContractInput, FuturesCaller, futuresOf } from '../futures/futures-caller.ts'

const NAMED = '?contractName=E-BTC-USDT'
const DAY_FILE = 'hftbacktest-binanceusdm-btcusdt-20240808'

/** A contract of 0.1 BTC and two decimals with a market of its own. */
function openWith(
  trades: readonly Trade[],
  quotes?: readonly TopOfBook[],
  more: Partial<ContractInput> = {},
): FuturesCaller {
  const market = { type: 'ticks', trades, ...(quotes && { quotes }) } as const
  return FuturesCaller.open(futuresOf(flatMarket(100), { market, ...more }))
}

const trade = (offset: number, price: number, quantity = 1): Trade => ({
  ...{ time: START + offset, price, quantity, side: 'buy' },
})
const top = (offset: number, bid: number, ask: number): TopOfBook => ({
  ...{ time: START + offset, bid, bidQuantity: 0.5, ask, askQuantity: 0.25 },
})

function at(caller: FuturesCaller, offset: number): FuturesCaller {
  caller.now = START + offset
  return caller
}

/** Best bid and ask with their contracts. */
function best(caller: FuturesCaller): string[] {
  const { bids, asks } = caller.get(`/fapi/v1/depth${NAMED}&limit=1`).json
  return [...bids[0], ...asks[0]]
}

function prices(caller: FuturesCaller): number[] {
  const { markPrice, indexPrice } = caller.get(`/fapi/v1/index${NAMED}`).json
  return [markPrice, indexPrice, Number(caller.get(`/fapi/v1/ticker${NAMED}`).json.last)]
}

describe('a contract of recorded ticks', () => {
  it('is quoted at the recorded best bid and ask, in contracts', () => {
    const caller = openWith([trade(0, 100), trade(500, 103)], [top(100, 99.9, 100), top(200, 99.5, 100.1)])
    expect(best(at(caller, 50)).filter((_, index) => index % 2 === 0)).toEqual(['99.99', '100.01'])
    // 0.5 and 0.25 BTC
    expect(best(at(caller, 100))).toEqual(['99.90', '5', '100.00', '2'])
    expect(best(at(caller, 499))).toEqual(['99.50', '5', '100.10', '2'])
    // A trade outside the quotes shows that they are late.
    expect(best(at(caller, 500))).toEqual(['99.50', '5', '103.00', '2'])
    const { bids, asks } = caller.get(`/fapi/v1/depth${NAMED}`).json
    expect([bids.length, bids[1][0], asks[1][0]]).toEqual([10, '99.49', '103.01'])
    const feed = caller.get('/pub/orderbook?ticker_id=E-BTC-USDT').json.data.orderbook
    expect([feed.bids[0], feed.asks[0]]).toEqual([
      { price: '99.50', amount: '0.5', size: '0.5' },
      { price: '103.00', amount: '0.2', size: '0.2' },
    ])
  })

  it('trades before its quotes move, where both happen at once', () => {
    const caller = openWith([trade(0, 100), trade(200, 98)], [top(200, 99, 99.5)])
    expect(best(at(caller, 200))).toEqual(['99.00', '5', '99.50', '2'])
    expect(prices(caller)).toEqual([99, 99, 98])
  })

  it('keeps a best price that is worth less than a contract', () => {
    const thin = { ...top(100, 99.9, 100), bidQuantity: 0.01, askQuantity: 0 }
    const caller = at(openWith([trade(0, 100)], [thin]), 100)
    // Nothing at all is offered at 100.
    expect(best(caller)).toEqual(['99.90', '1', '100.01', '99990'])
  })

  it.each([
    ['0', 0.5],
    ['0.25', 0.4],
  ])('with a premium of %s trades at its recorded prices, its index below', (premium, share) => {
    const quotes = [top(100, 99.9, 100.2), top(200, 99.5, 99.9), top(300, 100.3, 100.6)]
    const caller = openWith([trade(0, 100), trade(150, 100.1)], quotes, { premium })
    const index = (mark: number) => Number((2 * mark * share).toFixed(10))
    expect(prices(at(caller, 99))).toEqual([100, index(100), 100])
    expect(prices(at(caller, 199))).toEqual([100.1, index(100.1), 100.1])
    // The quotes leave the last trade behind, and take the mark price along.
    expect(prices(at(caller, 200))).toEqual([99.9, index(99.9), 100.1])
    expect(prices(at(caller, 300))).toEqual([100.3, index(100.3), 100.1])
  })

  it('fills orders that its trades go through or its quotes meet, at their times', () => {
    const caller = openWith([trade(0, 100), trade(300, 98)], [top(100, 99.9, 100.1), top(200, 98.9, 99)])
    at(caller, 100)
    const orders = ['99', '98.5', '98'].map(price => caller.order('BUY', 'OPEN', 'LIMIT', 1, price))
    const states = () => orders.map(order => caller.find(order).status)
    expect(states()).toEqual(['NEW', 'NEW', 'NEW'])
    at(caller, 299)
    expect(states()).toEqual(['FILLED', 'NEW', 'NEW'])
    at(caller, 400)
    expect(states()).toEqual(['FILLED', 'FILLED', 'NEW'])
    const trades = caller.get(`/fapi/v1/myTrades${NAMED}`).json
    expect(trades.map(({ price, time }: Record<string, number>) => [price, time])).toEqual([
      [98.5, START + 300],
      [99, START + 200],
    ])
  })

  it('liquidates and triggers by a mark price that only its quotes moved', () => {
    const caller = openWith([trade(0, 100)], [top(100, 99.9, 100.1), top(200, 90, 91)])
    at(caller, 100)
    caller.order('BUY', 'OPEN', 'MARKET', 2, undefined, { positionType: 2 })
    const condition = { contractName: 'E-BTC-USDT', side: 'SELL', open: 'OPEN', type: 'LIMIT', volume: 1 }
    const triggered = caller.post('/fapi/v1/conditionOrder', {
      ...{ ...condition, price: 99, positionType: 2, triggerType: '4DOWN', triggerPrice: 91 },
    })
    at(caller, 199)
    expect([caller.positions().length, caller.find(triggered).status]).toEqual([1, 'INIT'])
    // Bought at 100.1 with 10x: liquidated at (100.1 - 10.01) / 0.989 = 91.09.
    at(caller, 200)
    expect([caller.positions(), caller.find(triggered).status]).toEqual([[], 'NEW'])
    expect(caller.post('/fapi/v1/profitHistorical', {}).json[0]).toMatchObject({
      ...{ freezeLock: 1, mtime: START + 200, closePrice: 90.09 },
    })
  })

  it('is the same however often it is looked at', () => {
    const trades = Array.from({ length: 200 }, (_, index) =>
      trade(index * 100, 100 + ((index * 37) % 11) / 10),
    )
    const quotes = Array.from({ length: 400 }, (_, index) => {
      const bid = 99.8 + ((index * 53) % 13) / 10
      return top(index * 50, bid, bid + 0.3)
    })
    const story = (looks: number) => {
      const caller = at(openWith(trades, quotes), 1)
      for (const price of [99.9, 100.2, 99]) caller.order('BUY', 'OPEN', 'LIMIT', 7, price)
      for (const price of [100.6, 101.4]) caller.order('SELL', 'OPEN', 'LIMIT', 7, price)
      for (let look = 1; look <= looks; look++) best(at(caller, Math.floor((20_000 * look) / looks)))
      const targets = ['depth', 'ticker', 'index', 'myTrades', 'openOrders']
      return targets.map(target => caller.get(`/fapi/v1/${target}${NAMED}`).text)
    }
    expect(story(1)).toEqual(story(333))
    expect(JSON.parse(story(1)[3] ?? '[]').length).toBeGreaterThan(2)
  })

  it.skipIf(!hasShared('data', `${DAY_FILE}-trades.csv.gz`))(
    'agrees with six real minutes of trades and quotes',
    async () => {
      const trades = await readTradeFile(sharedPath('data', `${DAY_FILE}-trades.csv.gz`))
      const quotes = await readTopOfBookFile(sharedPath('data', `${DAY_FILE}-booktop.csv.gz`))
      const caller = openWith(trades, quotes, { multiplier: '0.001', pricePrecision: 1 })
      const [begin, end] = [trades[0]?.time ?? 0, trades.at(-1)?.time ?? 0]
      for (let time = begin + 1000; time < end; time += 7919) {
        caller.now = time
        const quote = quotes.findLast(row => row.time <= time)
        const last = trades.findLast(row => row.time <= time)?.price ?? 0
        const [mark, index, shown] = prices(caller)
        const [bid, , ask] = best(caller).map(Number)
        expect([shown, index]).toEqual([last, mark])
        // A print after the quotes may have widened them.
        expect([bid, ask]).toEqual([
          ...[Math.min(quote?.bid ?? 0, bid ?? 0), Math.max(quote?.ask ?? 0, ask ?? 0)],
        ])
        expect(mark).toBe([bid ?? 0, last, ask ?? 0].toSorted((a, b) => a - b)[1])
        expect(Math.abs((quote?.bid ?? 0) - (bid ?? 0))).toBeLessThan(10)
      }
      const [, whole] = caller.get(`/fapi/v1/klines${NAMED}&interval=1min`).json
      const seen = trades.filter(({ time }) => time >= whole.idx && time < whole.idx + MINUTE)
      const each = seen.map(({ price }) => price)
      expect([whole.open, whole.high, whole.low, whole.close].map(Number)).toEqual([
        ...[each[0], Math.max(...each), Math.min(...each), each.at(-1)],
      ])
      // Contracts of 0.001 BTC, as fine as the trades.
      const volume = seen.reduce((sum, { quantity }) => sum + Math.round(quantity * 1000), 0)
      expect(Number(whole.vol)).toBe(volume)
      expect(seen.length).toBeGreaterThan(500)
    },
  )
})
