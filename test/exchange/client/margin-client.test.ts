import { describe, expect, it } from 'vitest'
import { scriptedExchange } from '../call/scripted-exchange.ts'

const ORDER = {
  symbol: 'BTCUSDT',
  origQty: '20',
  executedQty: '0.5',
  price: '0',
  avgPrice: '40',
  type: 'MARKET',
  side: 'BUY',
  status: 'FILLED',
}

describe('the margin client', () => {
  it('buys at market for an amount of quote', async () => {
    const { margin, requests } = scriptedExchange(['{"orderId":"12","status":"NEW"}'])
    const order = { symbol: 'btc/usdt', type: 'market', side: 'buy', quoteAmount: '20.10' } as const
    await expect(margin.placeOrder(order)).resolves.toMatchObject({ orderId: '12', symbol: 'BTC/USDT' })
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      [
        'https://exchange.test/sapi/v2/margin/order',
        '{"symbol":"BTC/USDT","volume":20.1,"side":"BUY","type":"MARKET"}',
      ],
    ])
  })

  it('asks for an order and cancels it by client order id, spelled as on margin', async () => {
    const { margin, requests } = scriptedExchange([
      JSON.stringify({ ...ORDER, orderId: 1, transactTime: '5' }),
      '{"symbol":"BTCUSDT","orderId":"1","status":"CANCELED"}',
    ])
    const reference = { symbol: 'BTC/USDT', clientOrderId: 'mine' }
    const order = await margin.order(reference)
    expect(order.ordered.quoteAmount?.toFixed()).toBe('20')
    expect(order).toMatchObject({ symbol: 'BTC/USDT', status: 'filled', price: undefined, time: 5 })
    await expect(margin.cancelOrder(reference)).resolves.toMatchObject({ orderId: '1', status: 'canceled' })
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      ['https://exchange.test/sapi/v2/margin/order?symbol=BTC%2FUSDT&newClientOrderId=mine', ''],
      ['https://exchange.test/sapi/v2/margin/cancel', '{"symbol":"BTC/USDT","newClientOrderId":"mine"}'],
    ])
  })

  it('lists the open orders of all pairs under their names, oldest first', async () => {
    const orders = [2, 1].map(id => ({ ...ORDER, orderId: id, time: String(id) }))
    const pair = {
      symbol: 'btcusdt',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 1,
    }
    const { margin } = scriptedExchange([JSON.stringify(orders), JSON.stringify({ symbols: [pair] })])
    await expect(margin.openOrders()).resolves.toMatchObject([
      { orderId: '1', symbol: 'BTC/USDT' },
      { orderId: '2', symbol: 'BTC/USDT' },
    ])
  })

  it('lists own trades without user ids from an id on', async () => {
    const trade = { symbol: 'BTCUSDT', id: '7', bidId: 1, askId: '9007199254740993', price: '1.50', qty: 2 }
    const rest = { time: 3, isBuyer: false, isMaker: true, feeCoin: 'usdt', fee: 0.001 }
    const { margin, requests } = scriptedExchange([JSON.stringify([{ ...trade, ...rest }])])
    const [read] = await margin.myTrades({ symbol: 'BTC/USDT', fromId: '9007199254740993', limit: 1000 })
    expect(read).toMatchObject({
      orderId: '9007199254740993',
      side: 'sell',
      liquidity: 'maker',
      feeAsset: 'USDT',
      bidUserId: undefined,
    })
    expect(requests[0]?.url).toBe(
      'https://exchange.test/sapi/v2/margin/myTrades?symbol=BTC%2FUSDT&limit=1000&fromId=9007199254740993',
    )
  })
})
