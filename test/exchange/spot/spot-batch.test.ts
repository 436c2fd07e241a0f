import { describe, expect, it } from 'vitest'
import { rejectionOf, scriptedExchange } from '../call/scripted-exchange.ts'

describe('placeOrders', () => {
  it('sends the orders of one pair with exact numbers, a market buy in quote', async () => {
    const { spot, requests } = scriptedExchange(['{"idsString":null,"ids":[9007199254740993,1]}'])
    const ids = await spot.placeOrders({
      symbol: 'btc/usdt',
      orders: [
        { type: 'limit', side: 'sell', quantity: '0.000000010000000001', price: '1.50' },
        { type: 'market', side: 'buy', quoteAmount: '20' },
      ],
    })
    expect(ids).toEqual(['9007199254740993', '1'])
    expect(requests[0]?.url).toBe('https://exchange.test/sapi/v2/batchOrders')
    expect(requests[0]?.body).toBe(
      '{"symbol":"BTC/USDT","orders":[{"price":1.5,"volume":0.000000010000000001,"side":"SELL","batchType":"LIMIT"},' +
        '{"volume":20,"side":"BUY","batchType":"MARKET"}]}',
    )
  })

  it('takes the ids as numbers where there is no text, and does not know what became of it without any', async () => {
    const batch = { symbol: 'BTC/USDT', orders: [{ type: 'market', side: 'sell', quantity: '1' }] } as const
    const { spot } = scriptedExchange(['{"ids":[9007199254740993,1]}', '{"idsString":[]}', '{}'])
    await expect(spot.placeOrders(batch)).resolves.toEqual(['9007199254740993', '1'])
    await expect(spot.placeOrders(batch)).resolves.toEqual([])
    expect(await rejectionOf(spot.placeOrders(batch))).toMatchObject({ code: 'UNKNOWN_OUTCOME' })
  })
})

describe('cancelOrders', () => {
  it('sends the ids as documented and tells which failed', async () => {
    const { spot, requests } = scriptedExchange(['{"success":[9007199254740993],"failed":["2"]}'])
    const canceled = await spot.cancelOrders({ symbol: 'BTC/USDT', orderIds: ['9007199254740993', '2'] })
    expect(canceled).toEqual({ canceled: ['9007199254740993'], failed: ['2'] })
    expect(requests[0]?.body).toBe('{"symbol":"BTC/USDT","orderIds":"[9007199254740993,2]"}')
  })
})
