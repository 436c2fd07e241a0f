import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { OrderPlacement } from '../../../src/exchange/spot/order-placement.ts'
import { NOW, scriptedExchange } from '../call/scripted-exchange.ts'

const PAIRS = JSON.stringify({
  symbols: [
    {
      symbol: 'btcusdt',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 4,
      limitPriceMin: 0,
      limitVolumeMin: 0.00015,
      limitVolumeMax: '7.00009',
    },
    { symbol: 'ETHUSDT', baseAsset: 'eth', quoteAsset: 'usdt', pricePrecision: '2', quantityPrecision: '3' },
  ],
})

function orderJson(extra: Record<string, unknown>): string {
  const order = {
    symbol: 'btcusdt',
    origQty: '1',
    executedQty: '0',
    type: 'LIMIT',
    side: 'SELL',
    status: 'NEW',
  }
  return JSON.stringify({ ...order, time: '1000', ...extra })
}

describe('placeOrder', () => {
  const placements: readonly [OrderPlacement, string][] = [
    [
      { symbol: 'btc/usdt', type: 'market', side: 'buy', quoteAmount: '20.10', clientOrderId: 'mine-1' },
      '{"symbol":"BTC/USDT","volume":20.1,"side":"BUY","type":"MARKET","newClientOrderId":"mine-1"}',
    ],
    [
      { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '0.000000010000000001' },
      '{"symbol":"BTC/USDT","volume":0.000000010000000001,"side":"SELL","type":"MARKET"}',
    ],
    [
      { symbol: 'BTC/USDT', type: 'postOnly', side: 'buy', quantity: new Decimal('1e-8'), price: '0.1' },
      '{"symbol":"BTC/USDT","volume":0.00000001,"side":"BUY","type":"POST_ONLY","price":0.1}',
    ],
    [
      { symbol: 'BTC/USDT', type: 'ioc', side: 'sell', quantity: '1', price: '12345678901234567.123456789' },
      '{"symbol":"BTC/USDT","volume":1,"side":"SELL","type":"IOC","price":12345678901234567.123456789}',
    ],
    [
      { symbol: 'BTC/USDT', type: 'stop', side: 'sell', quantity: '1', price: '99', triggerPrice: '100' },
      '{"symbol":"BTC/USDT","volume":1,"side":"SELL","type":"STOP","price":99,"triggerPrice":100}',
    ],
  ]

  it.each(placements)('sends %o with exact numbers', async (placement, body) => {
    const { spot, requests } = scriptedExchange(['{"orderId":12345678901234567890}'])
    await expect(spot.placeOrder(placement)).resolves.toMatchObject({
      orderId: '12345678901234567890',
      symbol: 'BTC/USDT',
      status: undefined,
    })
    expect(requests.map(request => [request.method, request.url, request.body])).toEqual([
      ['POST', 'https://exchange.test/sapi/v2/order', body],
    ])
  })

  it('takes an order id in an array, and survives odd lesser fields', async () => {
    const { spot } = scriptedExchange([
      '{"orderId":["77"],"status":"surprise","price":"","transactTime":"soon"}',
    ])
    const placed = await spot.placeOrder({ symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '1' })
    expect(placed).toMatchObject({ orderId: '77', status: undefined, price: undefined, time: undefined })
  })
})

describe('testOrder', () => {
  it('spells the client order id as its table does', async () => {
    const { spot, requests } = scriptedExchange(['{}'])
    await spot.testOrder({
      symbol: 'BTC/USDT',
      type: 'limit',
      side: 'buy',
      quantity: '1',
      price: '2',
      clientOrderId: 'x',
    })
    expect(requests[0]?.url).toBe('https://exchange.test/sapi/v2/order/test')
    expect(requests[0]?.body).toBe(
      '{"symbol":"BTC/USDT","volume":1,"side":"BUY","type":"LIMIT","price":2,"newClientorderId":"x"}',
    )
  })
})

describe('order', () => {
  it('asks by id or by client order id', async () => {
    const { spot, requests } = scriptedExchange([orderJson({ orderId: 1 })])
    await spot.order({ symbol: 'BTC/USDT', orderId: '9007199254740993' })
    await spot.order({ symbol: 'BTC/USDT', clientOrderId: 'a b' })
    expect(requests.map(request => request.url)).toEqual([
      'https://exchange.test/sapi/v2/order?symbol=BTC%2FUSDT&orderId=9007199254740993',
      'https://exchange.test/sapi/v2/order?symbol=BTC%2FUSDT&newClientorderId=a%20b',
    ])
  })

  it('counts a market buy in quote', async () => {
    const fields = { orderId: 1, type: 'MARKET', side: 'BUY', origQty: 20, executedQty: 222.09883, price: 0 }
    const { spot } = scriptedExchange([orderJson({ ...fields, avgPrice: '0.09005' })])
    const order = await spot.order({ symbol: 'BTC/USDT', orderId: '1' })
    expect(order).toMatchObject({ type: 'market', side: 'buy', price: undefined })
    expect(order.ordered.quoteAmount?.toFixed()).toBe('20')
    expect(order.ordered.quantity).toBeUndefined()
    expect(order.executedQuantity.toFixed()).toBe('222.09883')
    expect(order.averagePrice?.toFixed()).toBe('0.09005')
  })
})

describe('cancelOrder', () => {
  it('cancels by client order id and promises least when the answer says nothing', async () => {
    const { spot, requests } = scriptedExchange(['{"code":"0","msg":"ok","data":{}}'])
    const canceled = await spot.cancelOrder({ symbol: 'BTC/USDT', clientOrderId: 'mine' })
    expect(canceled).toMatchObject({ symbol: 'BTC/USDT', status: 'pendingCancel' })
    expect(requests[0]?.body).toBe('{"symbol":"BTC/USDT","newClientOrderId":"mine"}')
  })
})

describe('openOrders', () => {
  it('of all pairs names every symbol by one reading of the list of pairs', async () => {
    const list = `[${orderJson({ orderId: 2, symbol: 'BTCUSDT' })},${orderJson({ orderId: 1, symbol: 'ethusdt' })}]`
    const { spot, requests } = scriptedExchange([list, PAIRS, list])
    const expected = [
      { orderId: '1', symbol: 'ETH/USDT' },
      { orderId: '2', symbol: 'BTC/USDT' },
    ]
    await expect(spot.openOrders()).resolves.toMatchObject(expected)
    await expect(spot.openOrders()).resolves.toMatchObject(expected)
    expect(requests.map(request => new URL(request.url).pathname)).toEqual([
      '/sapi/v2/openOrders',
      '/sapi/v2/symbols',
      '/sapi/v2/openOrders',
    ])
  })

  it('keeps the spelling of a pair that is not listed', async () => {
    const { spot } = scriptedExchange([`[${orderJson({ orderId: 1, symbol: 'goneusdt' })}]`, PAIRS])
    await expect(spot.openOrders()).resolves.toMatchObject([{ symbol: 'GONEUSDT' }])
  })

  it('does not guess between two pairs of one spelling', async () => {
    const precisions = { pricePrecision: 1, quantityPrecision: 1 }
    const symbols = [
      { symbol: 'abcd', baseAsset: 'AB', quoteAsset: 'CD', ...precisions },
      { symbol: 'abcd', baseAsset: 'ABC', quoteAsset: 'D', ...precisions },
    ]
    const list = `[${orderJson({ orderId: 1, symbol: 'abcd' })}]`
    const { spot } = scriptedExchange([list, JSON.stringify({ symbols })])
    await expect(spot.openOrders()).resolves.toMatchObject([{ symbol: 'ABCD' }])
  })

  it('orders by time and then by ids beyond 2^53', async () => {
    const ids = ['9007199254740993', '9007199254740992', '10007199254740992', '999']
    const list = ids.map(orderId => orderJson({ orderId, time: orderId === '999' ? '2000' : '1000' }))
    const { spot } = scriptedExchange([`[${list.join(',')}]`])
    const orders = await spot.openOrders({ symbol: 'BTC/USDT' })
    expect(orders.map(order => order.orderId)).toEqual([
      '9007199254740992',
      '9007199254740993',
      '10007199254740992',
      '999',
    ])
  })

  it('is empty where the exchange sends no data', async () => {
    const { spot } = scriptedExchange(['{"code":"0","msg":"success","data":null}'])
    await expect(spot.openOrders({ symbol: 'BTC/USDT' })).resolves.toEqual([])
  })
})

describe('historyOrders and historyTrades', () => {
  it('of all pairs are named and oldest first', async () => {
    const orders = [2, 1].map(id => orderJson({ orderId: id, time: String(id) }))
    const trade = {
      bidId: 1,
      askId: 2,
      price: 1,
      qty: 1,
      isBuyer: true,
      isMaker: false,
      feeCoin: 'BTC',
      fee: 0,
    }
    const trades = [2, 1].map(id => ({ ...trade, id, time: id, symbol: 'ETH/USDT' }))
    const { spot, requests } = scriptedExchange([`[${orders.join(',')}]`, PAIRS, JSON.stringify(trades)])
    await expect(spot.historyOrders()).resolves.toMatchObject([
      { orderId: '1', symbol: 'BTC/USDT' },
      { orderId: '2', symbol: 'BTC/USDT' },
    ])
    await expect(spot.historyTrades({ limit: 100, startTime: NOW })).resolves.toMatchObject([
      { id: '1', symbol: 'ETH/USDT' },
      { id: '2', symbol: 'ETH/USDT' },
    ])
    expect(requests.map(({ url }) => url.slice('https://exchange.test'.length))).toEqual([
      '/sapi/v3/historyOrders',
      '/sapi/v2/symbols',
      `/sapi/v3/myTrades?limit=100&startTime=${NOW}`,
    ])
  })
})

describe('trades', () => {
  it('are read with and without a list around them, in either case, oldest first', async () => {
    const trade = { price: '3.000001', qty: '11.0', side: 'sell', symbol: 'btcusdt' }
    const list = [
      { ...trade, id: 2, time: 5 },
      { ...trade, id: 1, time: 5 },
    ]
    const { spot } = scriptedExchange([JSON.stringify({ list }), JSON.stringify(list)])
    const expected = [
      { id: '1', symbol: 'BTC/USDT', side: 'sell', time: 5 },
      { id: '2', symbol: 'BTC/USDT', side: 'sell', time: 5 },
    ]
    await expect(spot.trades({ symbol: 'BTC/USDT' })).resolves.toMatchObject(expected)
    await expect(spot.trades({ symbol: 'BTC/USDT', limit: 1000 })).resolves.toMatchObject(expected)
  })
})

describe('tickers', () => {
  it('of some pairs ask for them by name', async () => {
    const { spot, requests } = scriptedExchange(['[]'])
    await spot.tickers({ symbols: ['btc/usdt', 'ETH/USDT'] })
    expect(requests[0]?.url).toBe('https://exchange.test/sapi/v2/ticker?symbols=BTC%2FUSDT%2CETH%2FUSDT')
  })
})

describe('klines', () => {
  it('asks for the hour as 60min and takes ms as they are', async () => {
    const kline = '{"idx":1699411680000,"open":1,"high":"2","low":0.5,"close":1.5,"vol":0E-16}'
    const { spot, requests } = scriptedExchange([`[${kline}]`])
    await expect(
      spot.klines({ symbol: 'BTC/USDT', interval: '1h', startTime: 1, limit: 300 }),
    ).resolves.toEqual([{ openTime: 1_699_411_680_000, open: 1, high: 2, low: 0.5, close: 1.5, volume: 0 }])
    expect(requests[0]?.url).toBe(
      'https://exchange.test/sapi/v2/klines?symbol=BTC%2FUSDT&interval=60min&limit=300&startTime=1',
    )
  })
})

describe('ticker', () => {
  it('reads the older names of the best prices and leaves out what is empty', async () => {
    const old =
      '{"symbol":"btcusdt","time":1,"high":2,"low":1,"last":1.5,"vol":3,"rose":"","buy":1.4,"sell":1.6}'
    const { spot } = scriptedExchange([old])
    const ticker = await spot.ticker({ symbol: 'BTC/USDT' })
    expect([ticker.bid?.toFixed(), ticker.ask?.toFixed(), ticker.change]).toEqual(['1.4', '1.6', undefined])
  })
})
