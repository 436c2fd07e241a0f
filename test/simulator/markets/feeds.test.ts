import { describe, expect, it } from 'vitest'
import { ExchangeCaller, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'

/** Prints of 1 base each at 100, 98, 103, 102 and 102, 101, 104, 103. */
function open(more = {}): ExchangeCaller {
  const klines = klinesOf([100, 103, 98, 102], [102, 104, 101, 103])
  const caller = ExchangeCaller.open(
    replayOf([], {
      listings: [
        { symbol: 'BTC/USDT', takerFeeRate: '0.002', market: { type: 'klines', klines } },
        { symbol: 'ETH/BTC', pricePrecision: 5, isTrading: false, market: { type: 'klines', klines } },
      ],
      liquidity: { levelNotionals: ['100', '200', '300'], spreadTicks: 4 },
      withdrawals: { minima: { BTC: '0.2' }, maxima: { BTC: '120' } },
      ...more,
    }),
  )
  caller.now = START + 2 * MINUTE
  return caller
}

describe('the summary feed', () => {
  it('tells of every pair what its ticker tells, and of every currency', () => {
    const { json } = open().get('/v2/pub/summary')
    expect([json.code, json.msg, Object.keys(json.data), Object.keys(json.coins)]).toEqual([
      '200',
      'success',
      ['BTC_USDT', 'ETH_BTC'],
      ['BTC', 'USDT', 'ETH'],
    ])
    expect(json.data.BTC_USDT).toEqual({
      id: 1,
      isFrozen: '0',
      last: '103.00',
      high24hr: '104.00',
      low24hr: '98.00',
      quoteVolume: '813',
      baseVolume: '8.00000',
      percentChange: '3',
      lowestAsk: '103.04',
      highestBid: '102.96',
    })
    expect(json.data.ETH_BTC.isFrozen).toBe('1')
    expect(json.coins.BTC).toEqual({ name: 'BTC', withdrew: 'ON', deposit: 'ON' })
    const ticker = open().get('/sapi/v2/ticker?symbol=BTCUSDT').json
    const { last, high24hr, low24hr, quoteVolume, baseVolume, lowestAsk, highestBid } = json.data.BTC_USDT
    expect([last, high24hr, low24hr, quoteVolume, baseVolume, lowestAsk, highestBid]).toEqual([
      ticker.last,
      ticker.high,
      ticker.low,
      ticker.amount,
      ticker.vol,
      ticker.askPrice,
      ticker.bidPrice,
    ])
  })
})

describe('the currency feed', () => {
  it('has limits and fees', () => {
    const { json } = open().get('/v2/pub/asset')
    expect(json.BTC).toEqual({
      name: 'BTC',
      unified_cryptoasset_id: 1,
      can_withdraw: 1,
      can_deposit: 1,
      min_withdraw: 0.2,
      max_withdraw: 120,
      maker_fee: 0.001,
      taker_fee: 0.002,
    })
    expect(json.ETH.taker_fee).toBe(0.001)
  })
})

describe('the quote feed', () => {
  it('has the last trade and the last 24 hours', () => {
    expect(open().get('/v2/pub/ticker').json.BTC_USDT).toEqual({
      base_id: 1,
      quote_id: 2,
      last_price: 103,
      base_volume: 1,
      quote_volume: 103,
      '24_base_volume': '8.00000',
      '24_quote_volume': '813',
    })
  })
})

describe('the deals feed', () => {
  it('has the public trades', () => {
    const caller = open()
    const { json } = caller.get('/v2/pub/trades?base=BTC&quote=USDT&trades=2')
    expect(json).toEqual([
      {
        trade_id: 8,
        price: 103,
        base_volume: 1,
        quote_volume: 103,
        type: 'SELL',
        timestamp: START + 105_000,
      },
      { trade_id: 7, price: 104, base_volume: 1, quote_volume: 104, type: 'BUY', timestamp: START + 90_000 },
    ])
    const all = caller.get('/sapi/v2/trades?symbol=BTCUSDT').json.list
    const feed = caller.get('/v2/pub/trades?symbol=BTC_USDT').json
    expect(feed.map(({ trade_id }: { trade_id: number }) => trade_id)).toEqual(
      all.map(({ id }: { id: number }) => id),
    )
  })
})

describe('the order-book feed', () => {
  const book = (query: string, caller = open()) => caller.get(`/v2/pub/orderbook?${query}`).json

  it('has the same levels as the depth, best first, as numbers', () => {
    const caller = open()
    const { bids, asks } = caller.get('/sapi/v2/depth?symbol=BTCUSDT').json
    const numbers = (side: string[][]) => side.map(level => level.map(Number))
    const expected = { date: caller.now, bids: numbers(bids), asks: numbers(asks) }
    expect(book('symbol=BTC/USDT', caller)).toEqual(expected)
    expect(book('base=btc&quote=usdt&depth=2', caller)).toEqual(expected)
  })

  it('merges bids down and asks up to the step', () => {
    const caller = open()
    caller.order('BUY', 'LIMIT', '1', '102.89')
    caller.order('SELL', 'LIMIT', '1', '103.11')
    caller.order('SELL', 'LIMIT', '1', '103.1')
    const { bids, asks } = book('symbol=BTCUSDT&depth=1', caller)
    const depth = caller.get('/sapi/v2/depth?symbol=BTCUSDT').json
    const sum = (side: string[][], count: number) =>
      Number(
        side
          .slice(0, count)
          .reduce((total, [, quantity]) => total + Number(quantity), 0)
          .toFixed(5),
      )
    expect(bids).toEqual([
      [102.9, sum(depth.bids, 3)],
      [102.8, 1],
    ])
    expect(asks).toEqual([
      [103.1, Number((sum(depth.asks, 3) + 1).toFixed(5))],
      [103.2, 1],
    ])
  })

  it('merges finer prices to 0.01 by default, and never a bid to nothing', () => {
    const caller = open({
      listings: [
        {
          symbol: 'AAA/USDT',
          pricePrecision: 4,
          market: { type: 'klines', klines: klinesOf([0.0103, 0.0103, 0.0103, 0.0103]) },
        },
      ],
      liquidity: { levelNotionals: ['100', '100'], spreadTicks: 3 },
    })
    const prices = (query: string) =>
      ['bids', 'asks'].map(side => book(query, caller)[side].map(([price]: number[]) => price))
    expect(prices('symbol=AAAUSDT&depth=2')).toEqual([
      [0.01, 0.0099],
      [0.0106, 0.0107],
    ])
    expect(prices('symbol=AAAUSDT')).toEqual([[0.01, 0.0099], [0.02]])
  })

  it('has as many levels as asked for on each side', () => {
    const { bids, asks } = book('symbol=BTCUSDT&bids=1&asks=2')
    expect([bids.length, asks.length]).toEqual([1, 2])
  })

  it.each([
    ['depth=3&symbol=BTCUSDT', -1102],
    ['base=BTC', -1121],
    ['symbol=XYZ', -1121],
    ['', -1121],
  ])('refuses the query "%s"', (query, code) => {
    expect(book(query).code).toBe(code)
  })
})
