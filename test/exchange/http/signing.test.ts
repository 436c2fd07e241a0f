import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import { signer } from '../../../src/exchange/http/signing.ts'
import { KEY, rejectionOf, SECRET, scriptedExchange } from '../call/scripted-exchange.ts'

/** Outside values: the published order/test vector of the interface and digests derived with the same secret. */
const VECTORS = [
  {
    method: 'POST',
    requestPath: '/sapi/v1/order/test',
    body: '{"symbol":"BTCUSDT","price":"9300","volume":"1","side":"BUY","type":"LIMIT"}',
    sign: 'c50d0a74bb9427a9a03933d0eded03af9bf50115dc5b706882a4fcf07a26b761',
  },
  {
    method: 'GET',
    requestPath: '/sapi/v1/account',
    body: '',
    sign: '8e1cd9b70ee747b7478aa3df01f03a54b790038ad54c87039c07b4f9971cb7fa',
  },
  {
    method: 'GET',
    requestPath: '/sapi/v2/openOrders?symbol=BTC%2FUSDT&limit=10',
    body: '',
    sign: '9710ded4588a6ca23d42569928cc5b854a2b9e849055446c9d2cbf10e54086ae',
  },
  {
    method: 'GET',
    requestPath: '/sapi/v2/openOrders?symbol=BTC/USDT&limit=10',
    body: '',
    sign: '70fdde651ac8fe134d879deed8e316fc96d63c75ef0eb6c939ba3462c6970130',
  },
  {
    method: 'POST',
    requestPath: '/fapi/v1/cancel_all',
    body: '{}',
    sign: '49c2bf89f0957e5911ae71afdfc32213b985dfe6bf314833271b118ebe5e2a21',
  },
  {
    method: 'POST',
    requestPath: '/fapi/v1/cancel_all',
    body: '',
    sign: '978f5dd23661597fa58d1ef06252c8de9a757a0b56025fff6cf96efcd93ef98b',
  },
] as const

describe('signer', () => {
  it.each(VECTORS)('signs $method $requestPath with body $body', ({ sign, ...text }) => {
    expect(signer(SECRET)({ timestamp: 1_588_591_856_950, ...text })).toBe(sign)
  })
})

describe('a signer', () => {
  it('makes the HMAC of any text by any secret, one after the other', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' })
    const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 100, size: 'max' })
    fc.assert(
      fc.property(secret, fc.array(text, { minLength: 1 }), (key, bodies) => {
        const sign = signer(key)
        for (const body of bodies) {
          const expected = createHmac('sha256', key).update(`1POST/order${body}`).digest('hex')
          expect(sign({ timestamp: 1, method: 'POST', requestPath: '/order', body })).toBe(expected)
        }
      }),
    )
  })

  it('has room for a long text, and for a short one after it', () => {
    const sign = signer(SECRET)
    for (const body of ['€'.repeat(5000), 'x'.repeat(100_000), 'x']) {
      const expected = createHmac('sha256', SECRET).update(`1POST/order${body}`).digest('hex')
      expect(sign({ timestamp: 1, method: 'POST', requestPath: '/order', body })).toBe(expected)
    }
  })
})

describe('a signed request', () => {
  it('carries key, timestamp and the published signature of the account query', async () => {
    const { account, requests } = scriptedExchange(['{"balances":[]}'])
    await account.balances()
    expect(requests).toEqual([
      {
        method: 'GET',
        url: 'https://exchange.test/sapi/v1/account',
        headers: {
          'Content-Type': 'application/json',
          'X-CH-APIKEY': KEY,
          'X-CH-TS': '1588591856950',
          'X-CH-SIGN': VECTORS[1].sign,
        },
        body: '',
        timeoutMs: 10_000,
      },
    ])
  })

  it('signs the query exactly as it stands in the URL', async () => {
    const { spot, requests } = scriptedExchange(['[]'])
    await spot.openOrders({ symbol: 'BTC/USDT', limit: 10 })
    expect(requests[0]?.url).toBe(`https://exchange.test${VECTORS[2].requestPath}`)
    expect(requests[0]?.headers['X-CH-SIGN']).toBe(VECTORS[2].sign)
  })

  it('stamps server time by the offset and sends the window where one is set', async () => {
    const { spot, account, requests } = scriptedExchange(['{"balances":[]}', '{"orderId":1}'], {
      timeOffset: () => -1500.4,
      recvWindowMs: 4000,
    })
    await account.balances()
    expect(requests[0]?.headers['X-CH-TS']).toBe('1588591855449')
    expect(requests[0]?.url).toBe('https://exchange.test/sapi/v1/account?recvWindow=4000')
    await spot.placeOrder({ symbol: 'BTC/USDT', type: 'market', side: 'buy', quoteAmount: '20' })
    expect(requests[1]?.body).toBe(
      '{"symbol":"BTC/USDT","volume":20,"side":"BUY","type":"MARKET","recvwindow":4000}',
    )
  })

  it('does not sign what anybody may read', async () => {
    const { spot, requests } = scriptedExchange(['{}'], { recvWindowMs: 4000 })
    await spot.ping()
    expect(requests[0]).toMatchObject({
      url: 'https://exchange.test/sapi/v2/ping',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(Object.keys(requests[0]?.headers ?? {})).toEqual(['Content-Type'])
  })

  it('is signed alike by credentials that were made before', async () => {
    const credentials = new Credentials(KEY, SECRET)
    const { account, requests } = scriptedExchange(['{"balances":[]}'], { credentials }, {})
    await account.balances()
    expect(requests[0]?.headers).toMatchObject({ 'X-CH-APIKEY': KEY, 'X-CH-SIGN': VECTORS[1].sign })
  })

  it('is refused before sending when the client has no key', async () => {
    const { requests, account } = scriptedExchange(['{}'], {}, {})
    expect(await rejectionOf(account.balances())).toMatchObject({
      code: 'INVALID_CALL',
      parameter: 'apiKey',
      section: '5',
    })
    expect(requests).toEqual([])
  })
})
