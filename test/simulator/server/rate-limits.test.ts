import { describe, expect, it } from 'vitest'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import {
  type Answer,
  ExchangeCaller,
  flatMarket,
  replayOf,
  START,
  signedHeaders,
} from '../exchange-caller.ts'

const MINUTE = 60_000

const open = (limits: SimulatorConfigInput['limits'], more: SimulatorConfigInput = {}) =>
  ExchangeCaller.open(replayOf(flatMarket(100), { limits, ...more }))

/** Statuses of `count` equal calls. */
function statuses(count: number, call: () => Answer): number[] {
  return Array.from({ length: count }, () => call().status)
}

describe('the weight of an address', () => {
  it('is 12,000 a minute: 150 calls of weight 80, and not one more', () => {
    const caller = open({})
    const all = () => caller.get('/sapi/v2/ticker')
    expect(statuses(150, all)).toEqual(Array(150).fill(200))
    const refused = caller.get('/sapi/v2/ping')
    expect([refused.status, refused.json.code]).toEqual([429, -1003])
    caller.now = START + MINUTE - 1
    expect(all().status).toBe(429)
    caller.now = START + MINUTE
    expect(all().status).toBe(200)
  })

  it.each([
    ['/sapi/v2/ticker?symbol=BTCUSDT', 5],
    ['/sapi/v2/ticker?symbols=BTCUSDT,BTCUSDT', 5],
    [`/sapi/v2/ticker?symbols=${Array(21).fill('BTCUSDT')}`, 40],
    [`/sapi/v2/ticker?symbols=${Array(101).fill('BTCUSDT')}`, 80],
    ['/sapi/v2/depth?symbol=BTCUSDT', 5],
    ['/sapi/v2/openOrders?symbol=BTCUSDT', 1],
    ['/sapi/v2/openOrders', 80],
    ['/sapi/v3/historyOrders?symbol=BTCUSDT', 20],
    ['/sapi/v3/myTrades', 80],
    ['/sapi/v9/nothing', 1],
  ])('counts %s as %i', (target, weight) => {
    expect(open({ ipWeightPerMinute: weight }).get(target).status).not.toBe(429)
    const tight = open({ ipWeightPerMinute: weight })
    tight.get('/sapi/v2/ping')
    expect(tight.get(target).status).toBe(429)
  })

  it('slides: it frees what is a minute old, and no more', () => {
    const caller = open({ ipWeightPerMinute: 10 })
    const depth = () => caller.get('/sapi/v2/depth?symbol=BTCUSDT').status
    const at = (offset: number) => {
      caller.now = START + offset
      return depth()
    }
    expect([at(0), at(30_000), at(59_999), at(60_000), at(60_001), at(90_000)]).toEqual([
      200, 200, 429, 200, 429, 200,
    ])
  })

  it('is counted for each address by itself, and for requests that are refused too', () => {
    const exchange = createSimulatedExchange(replayOf(flatMarket(100), { limits: { ipWeightPerMinute: 2 } }))
    const call = (ip: string, target = '/sapi/v1/account') =>
      exchange.handle({ method: 'GET', target, headers: {}, body: '', ip }, START).status
    expect([call('10.0.0.1'), call('10.0.0.1'), call('10.0.0.1'), call('10.0.0.2')]).toEqual([
      401, 401, 429, 401,
    ])
  })

  it('does not matter where limits are switched off', () => {
    const caller = open({ areEnforced: false, ipWeightPerMinute: 1 })
    expect(statuses(300, () => caller.get('/sapi/v2/ticker'))).toEqual(Array(300).fill(200))
    expect(statuses(150, () => caller.order('BUY', 'LIMIT', '0.2', '50'))).toEqual(Array(150).fill(200))
  })
})

describe('the weight of an account', () => {
  it('is counted beside that of the address, for signed calls alone', () => {
    const caller = open({ uidWeightPerMinute: 10 })
    const account = () => caller.get('/sapi/v1/account')
    expect(statuses(11, account)).toEqual([...Array(10).fill(200), 429])
    expect(caller.get('/sapi/v2/ping').status).toBe(200)
    expect(caller.second().get('/sapi/v1/account').status).toBe(200)
  })

  it('is not used up by someone else’s wrong signature', () => {
    const caller = open({ uidWeightPerMinute: 1 })
    const target = '/sapi/v1/account'
    const headers = signedHeaders(
      { apiKey: 'sluice-test-key', apiSecret: 'guess' },
      { method: 'GET', target, time: START },
    )
    expect(caller.exchange.handle({ method: 'GET', target, headers, body: '' }, START).status).toBe(401)
    expect(caller.get(target).status).toBe(200)
  })
})

describe('an endpoint', () => {
  it.each([
    ['new orders', 100, (caller: ExchangeCaller) => caller.order('BUY', 'LIMIT', '0.2', '50')],
    [
      'new margin orders',
      100,
      (caller: ExchangeCaller) =>
        caller.post('/sapi/v2/margin/order', {
          symbol: 'BTC/USDT',
          side: 'BUY',
          type: 'LIMIT',
          volume: 1,
          price: 50,
        }),
    ],
    ['open margin orders', 20, (caller: ExchangeCaller) => caller.get('/sapi/v2/margin/openOrders')],
    ['cancels of futures orders', 20, (caller: ExchangeCaller) => caller.post('/fapi/v1/cancel', {})],
  ])('takes so many calls in 2 s: %s %i', (_fact, calls, call) => {
    const caller = open({})
    const answered = statuses(calls, () => call(caller))
    expect(answered).not.toContain(410)
    const refused = call(caller)
    expect([refused.status, Number(refused.json.code)]).toEqual([410, -1003])
    expect(call(caller.second()).status).not.toBe(410)
    caller.now = START + 2000
    expect(call(caller).status).toBe(answered[0])
  })

  it('takes any number where only weights are counted', () => {
    const caller = open({ perEndpoint: false })
    expect(statuses(150, () => caller.order('BUY', 'LIMIT', '0.2', '50'))).toEqual(Array(150).fill(200))
  })
})

describe('an address that goes on after 429', () => {
  const limits = { ipWeightPerMinute: 1, toleratedRefusals: 3 } as const
  const ping = (caller: ExchangeCaller) => caller.get('/sapi/v2/ping').status

  it('is banned for two minutes, whatever it asks for', () => {
    const caller = open(limits)
    expect(statuses(5, () => caller.get('/sapi/v2/ping'))).toEqual([200, 429, 429, 429, 418])
    caller.now = START + 2 * MINUTE - 1
    const banned = caller.get('/sapi/v1/account')
    expect([banned.status, banned.json.code]).toEqual([418, -1003])
    expect(banned.json.msg).toContain(String(START + 2 * MINUTE))
    caller.now = START + 2 * MINUTE
    expect(ping(caller)).toBe(200)
  })

  it('is forgiven refusals that are a minute old', () => {
    const caller = open(limits)
    statuses(4, () => caller.get('/sapi/v2/ping'))
    caller.now = START + MINUTE
    expect(statuses(4, () => caller.get('/sapi/v2/ping'))).toEqual([200, 429, 429, 429])
  })

  it('is banned twice as long every time, up to three days, and begins anew after as much quiet', () => {
    const caller = open(limits)
    const banMinutes = () => {
      let last: Answer = caller.get('/sapi/v2/ping')
      while (last.status !== 418) last = caller.get('/sapi/v2/ping')
      const until = Number(/until (\d+)/.exec(last.json.msg)?.[1])
      const minutes = (until - caller.now) / MINUTE
      caller.now = until
      return minutes
    }
    expect(Array.from({ length: 14 }, banMinutes)).toEqual([
      2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4320, 4320,
    ])
    caller.now += 4320 * MINUTE + 1
    expect(banMinutes()).toBe(2)
  })

  it('is refused with its own status even where refusals come with HTTP 200', () => {
    const caller = open(limits, { httpOkOnErrors: true })
    expect(statuses(5, () => caller.get('/sapi/v2/ping'))).toEqual([200, 429, 429, 429, 418])
  })
})
