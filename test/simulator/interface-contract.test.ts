import { describe, expect, it } from 'vitest'
import { ENDPOINTS, type EndpointKey } from '../../src/exchange/endpoints.ts'
import { parseLossless } from '../../src/exchange/lossless-json.ts'
import { type Answer, ExchangeCaller, flatMarket, replayOf } from './exchange-caller.ts'

/** A caller with an open order and a trade, and the id of the open order. */
function busy(): { caller: ExchangeCaller; orderId: string } {
  const caller = ExchangeCaller.open(replayOf(flatMarket(100)))
  caller.order('SELL', 'MARKET', '1')
  const open = caller.order('BUY', 'LIMIT', '1', '90', { newClientOrderId: 'mine' })
  return { caller, orderId: open.json.orderIdString }
}

const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', volume: '1', price: '90' }

const CALLS: readonly (readonly [
  EndpointKey,
  (caller: ExchangeCaller, path: string, orderId: string) => Answer,
])[] = [
  ['spotPing', (caller, path) => caller.get(path)],
  ['spotTime', (caller, path) => caller.get(path)],
  ['spotSymbols', (caller, path) => caller.get(path)],
  ['spotDepth', (caller, path) => caller.get(`${path}?symbol=BTC/USDT`)],
  ['spotTicker', (caller, path) => caller.get(`${path}?symbol=BTC/USDT`)],
  ['spotTicker', (caller, path) => caller.get(path)],
  ['spotTrades', (caller, path) => caller.get(`${path}?symbol=BTC/USDT`)],
  ['spotKlines', (caller, path) => caller.get(`${path}?symbol=BTC/USDT&interval=1min`)],
  ['spotNewOrder', (caller, path) => caller.post(path, ORDER)],
  ['spotTestOrder', (caller, path) => caller.post(path, ORDER)],
  ['spotOrder', (caller, path, orderId) => caller.get(`${path}?symbol=BTC/USDT&orderId=${orderId}`)],
  ['spotCancel', (caller, path, orderId) => caller.post(path, { symbol: 'BTC/USDT', orderId })],
  ['spotOpenOrders', (caller, path) => caller.get(path)],
  ['spotMyTradesV2', (caller, path) => caller.get(`${path}?symbol=BTC/USDT`)],
  ['spotAccount', (caller, path) => caller.get(path)],
]

describe('the table of endpoints', () => {
  it.each(CALLS)('describes what the exchange answers to %s', (key, call) => {
    const { caller, orderId } = busy()
    const { path, response } = ENDPOINTS[key]
    const { status, text } = call(caller, path, orderId)
    expect([status, response.safeParse(parseLossless(text)).error]).toEqual([200, undefined])
  })

  it('reads the exact id, size and fee of what was traded', () => {
    const { caller, orderId } = busy()
    const [order] = ENDPOINTS.spotOpenOrders.response.parse(
      parseLossless(caller.get('/sapi/v2/openOrders').text),
    )
    expect(order).toMatchObject({ orderId, clientOrderId: 'mine', side: 'buy', type: 'limit', status: 'new' })
    const [trade] = ENDPOINTS.spotMyTradesV2.response.parse(parseLossless(caller.trades().text))
    expect(trade?.fee.toString()).toBe('0.09999')
    expect([trade?.orderId, trade?.side, trade?.liquidity]).toEqual(['1900000000000000001', 'sell', 'taker'])
  })

  it('sends no endpoint to nowhere: one that is not simulated yet is refused as unsupported', () => {
    const { caller } = busy()
    const simulated = new Set(CALLS.map(([key]) => key))
    for (const { key, method, path } of Object.values(ENDPOINTS)) {
      const answer = method === 'GET' ? caller.get(path) : caller.post(path, {})
      expect(answer.json.code === -1020, key).toBe(!simulated.has(key as EndpointKey)) // the table's own keys
    }
  })
})
