import { describe, expect, it } from 'vitest'
import { rejectionOf, scriptedExchange } from '../call/scripted-exchange.ts'

describe('the feeds', () => {
  it('keep the coins that stand beside the data of the summary', async () => {
    const none = { lowestAsk: '0', highestBid: '0', quoteVolume: '0', baseVolume: '0', percentChange: '0' }
    const pair = { id: 1, isFrozen: '1', last: '0.10', high24hr: '1', low24hr: '0.1', ...none }
    const coins = { BTC: { name: 'Bitcoin', withdrew: 'OFF', deposit: 'ON' } }
    const { feeds, requests } = scriptedExchange([
      JSON.stringify({ code: '200', msg: 'success', data: { btc_usdt: pair }, coins }),
    ])
    await expect(feeds.summary()).resolves.toMatchObject({
      pairs: [{ symbol: 'BTC/USDT', isFrozen: true }],
      coins: [{ asset: 'BTC', canWithdraw: false, canDeposit: true }],
    })
    expect(requests[0]).toMatchObject({ url: 'https://exchange.test/v2/pub/summary', body: '' })
    expect(Object.keys(requests[0]?.headers ?? {})).toEqual(['Content-Type'])
  })

  it('refuse a summary that is an error', async () => {
    const { feeds } = scriptedExchange(['{"code":"-1016","msg":"closing down"}'])
    expect(await rejectionOf(feeds.summary())).toMatchObject({ exchangeCode: -1016 })
  })

  it.each([
    ['0.01', 0],
    ['0.1', 1],
    ['none', 2],
  ] as const)('ask for levels merged to %s as depth %i', async (merge, code) => {
    const { feeds, requests } = scriptedExchange(['{"date":1,"bids":null,"asks":[["1","2"]]}'])
    const book = await feeds.orderBook({ base: 'BTC', quote: 'USDT', merge, bids: 5, asks: 7 })
    expect(book).toMatchObject({ bids: [], time: 1 })
    expect(requests[0]?.url).toBe(
      `https://exchange.test/v2/pub/orderbook?base=BTC&quote=USDT&depth=${code}&bids=5&asks=7`,
    )
  })

  it('read a deal with the odd spelling of its amount', async () => {
    const deal = { trade_id: 1, price: 2, type: 'SELL', timestamp: 3, base_volume: 4, Quote_volume: 8 }
    const { feeds, requests } = scriptedExchange([JSON.stringify([deal])])
    const [trade] = await feeds.trades({ symbol: 'BTC/USDT', limit: 10 })
    expect(trade?.quoteAmount.toFixed()).toBe('8')
    expect(requests[0]?.url).toBe('https://exchange.test/v2/pub/trades?symbol=BTC%2FUSDT&trades=10')
  })

  it('read the documented forms of futures contracts and their order book', async () => {
    const contract = {
      ...{ ticker_id: 'E-BTC-USDT', base_currency: 'BTC', quote_currency: 'USDT', product_type: 'Futures' },
      ...{ last_price: '1', high: '2', low: '1', base_volume: '3', quote_volume: '4', volume_usd: '5' },
      ...{ bid: '0.9', ask: '', open_interest: '6', open_interest_usd: '7', index_price: '8' },
      ...{ funding_rate: '0.0001', open_maker_fee: '0.0002', close_taker_fee: '0.0003' },
      ...{ creation_timestamp: 10, expiry_timestamp: 20, timestamp: 30 },
    }
    const levels = { bids: [{ price: '1', size: '2' }], asks: [{ price: '3', amount: '4' }] }
    const book = { ticker_id: 'E-BTC-USDT', timestamp: 5, orderbook: levels }
    const { feeds, requests } = scriptedExchange([
      JSON.stringify({ code: '0', msg: 'success', data: { contracts: [contract] } }),
      JSON.stringify({ code: '0', msg: 'success', data: book }),
    ])
    const [read] = await feeds.contracts({ tickerId: 'E-BTC-USDT' })
    expect(read).toMatchObject({
      quote: 'USDT',
      productType: 'futures',
      ask: undefined,
      createdTime: 10,
      expiryTime: 20,
    })
    expect(read?.openMakerFeeRate?.toFixed()).toBe('0.0002')
    const { bids, asks, time } = await feeds.contractBook({ tickerId: 'E-BTC-USDT' })
    expect([bids, asks].map(side => side.map(level => level.quantity.toFixed()))).toEqual([['2'], ['4']])
    expect(time).toBe(5)
    expect(requests.map(({ url }) => url)).toEqual([
      'https://futures.test/pub/contracts?ticker_id=E-BTC-USDT',
      'https://futures.test/pub/orderbook?ticker_id=E-BTC-USDT',
    ])
  })

  it('list assets and quotes under their own names', async () => {
    const asset = {
      ...{ name: 'Token', unified_cryptoasset_id: 1, can_withdraw: 0, can_deposit: 1, min_withdraw: '0E-16' },
      ...{ max_withdraw: 1, maker_fee: 0, taker_fee: 0, contractAddress: '0xabc' },
    }
    const { feeds } = scriptedExchange([JSON.stringify({ TOK: asset })])
    await expect(feeds.assets()).resolves.toMatchObject([
      { asset: 'TOK', canWithdraw: false, canDeposit: true, contractAddress: '0xabc' },
    ])
  })
})
