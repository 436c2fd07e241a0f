import { describe, expect, it } from 'vitest'
import { checkSignature } from '../../../src/simulator/protocol/request-authentication.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { flatMarket, replayOf, START, signedHeaders } from '../exchange-caller.ts'

const SECRET = '902ae3cb34ecee2779aa4d3e1d226686'
const VECTORS = [
  [
    'POST',
    '/sapi/v1/order/test',
    '{"symbol":"BTCUSDT","price":"9300","volume":"1","side":"BUY","type":"LIMIT"}',
    'c50d0a74bb9427a9a03933d0eded03af9bf50115dc5b706882a4fcf07a26b761',
  ],
  ['GET', '/sapi/v1/account', '', '8e1cd9b70ee747b7478aa3df01f03a54b790038ad54c87039c07b4f9971cb7fa'],
  ['GET', '/sapi/v1/account?', '', '8e1cd9b70ee747b7478aa3df01f03a54b790038ad54c87039c07b4f9971cb7fa'],
  ['POST', '/fapi/v1/cancel_all', '{}', '49c2bf89f0957e5911ae71afdfc32213b985dfe6bf314833271b118ebe5e2a21'],
  ['POST', '/fapi/v1/cancel_all', '', '978f5dd23661597fa58d1ef06252c8de9a757a0b56025fff6cf96efcd93ef98b'],
] as const

describe('a published signature', () => {
  it.each(VECTORS)('of %s %s %s is accepted in either case', (method, target, body, sign) => {
    for (const spelling of [sign, sign.toUpperCase()]) {
      const headers = { 'x-ch-ts': '1588591856950', 'x-ch-sign': spelling }
      expect(() => checkSignature({ method, target, headers, body }, SECRET)).not.toThrow()
      const changed = { method, target, headers, body: `${body} ` }
      expect(() => checkSignature(changed, SECRET)).toThrow('Signature for this request is not valid.')
    }
  })
})

const TARGET = '/sapi/v1/account'

function call(headers: Record<string, string | undefined>, target = TARGET, method = 'GET', body = '') {
  const { status, body: text } = createSimulatedExchange(replayOf(flatMarket(100))).handle(
    { method, target, headers, body },
    START,
  )
  return [status, JSON.parse(text).code]
}

describe('a signed endpoint', () => {
  const headers = signedHeaders(TEST_ACCOUNT, { method: 'GET', target: TARGET, time: START })

  it.each([
    ['without a key', { 'x-ch-apikey': undefined }, [401, -1002]],
    ['without a timestamp', { 'x-ch-ts': undefined }, [400, -1023]],
    ['without a signature', { 'x-ch-sign': undefined }, [401, -1024]],
    ['with an unknown key', { 'x-ch-apikey': 'sluice-TEST-key' }, [401, -2015]],
    ['with a wrong signature', { 'x-ch-sign': 'ab'.repeat(32) }, [401, -1022]],
    ['with a timestamp in words', { 'x-ch-ts': 'now' }, [400, -1021]],
  ])('refuses a request %s', (_fact, change, expected) => {
    expect(call({ ...headers, ...change })).toEqual(expected)
    expect(call(headers)).toEqual([200, undefined])
  })

  it.each([
    [999, '', undefined],
    [1000, '', -1021],
    [-1000, '', undefined],
    [-1001, '', -1021],
    [-1001, '?recvWindow=5000', undefined],
    [-5000, '?recvwindow=5000', undefined],
    [-5001, '?recvwindow=5000', -1021],
    [1000, '?recvWindow=5000', -1021],
  ])('answers a timestamp %i ms from its own time with%s code %s', (offset, query, code) => {
    const target = `${TARGET}${query}`
    const signed = signedHeaders(TEST_ACCOUNT, { method: 'GET', target, time: START + offset })
    expect(call(signed, target)[1]).toBe(code)
  })

  it('has as long a window as is configured where the request does not say', () => {
    const headers = signedHeaders(TEST_ACCOUNT, { method: 'GET', target: TARGET, time: START - 3000 })
    const statuses = [2999, 3000].map(recvWindowMs => {
      const exchange = createSimulatedExchange(replayOf(flatMarket(100), { recvWindowMs }))
      return exchange.handle({ method: 'GET', target: TARGET, headers, body: '' }, START).status
    })
    expect(statuses).toEqual([400, 200])
  })

  it.each(['recvWindow', 'recvwindow'])('takes %s from a body, as a number or as text', name => {
    const target = '/sapi/v2/order/test'
    for (const value of [3000, '3000']) {
      const body = JSON.stringify({
        symbol: 'BTC/USDT',
        side: 'SELL',
        type: 'MARKET',
        volume: 1,
        [name]: value,
      })
      const late = signedHeaders(TEST_ACCOUNT, { method: 'POST', target, body, time: START - 3000 })
      expect(call(late, target, 'POST', body)).toEqual([200, undefined])
      const tooLate = signedHeaders(TEST_ACCOUNT, { method: 'POST', target, body, time: START - 3001 })
      expect(call(tooLate, target, 'POST', body)).toEqual([400, -1021])
    }
  })

  it('takes a POST body with spaces, refuses one that is no JSON object or of another content type', () => {
    const target = '/sapi/v2/cancel'
    const answer = (body: string, type = 'application/json') => {
      const signed = signedHeaders(TEST_ACCOUNT, { method: 'POST', target, body, time: START })
      return call({ ...signed, 'content-type': type }, target, 'POST', body)[1]
    }
    expect(
      answer('{ "symbol": "BTC/USDT", "orderId": 12345678901234567890 }', 'application/json; charset=utf-8'),
    ).toBe(-2013)
    expect(answer('[1]')).toBe(-1102)
    expect(answer('{symbol')).toBe(-1102)
    expect(answer('')).toBe(-1121)
    expect(answer('{}')).toBe(-1121)
    expect(answer('{}', 'text/plain')).toBe(-1017)
  })
})
