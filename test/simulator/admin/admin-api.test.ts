import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { TopOfBook } from '../../../src/domain/market-data/top-of-book.ts'
import type { Trade } from '../../../src/domain/market-data/trade.ts'
import { isLoopback } from '../../../src/simulator/admin/loopback.ts'
import {
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { flatMarket, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'
import { FuturesCaller, futuresOf } from '../futures/futures-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from '../server/raw-http.ts'

const servers: ExchangeServer[] = []
/** An address of this machine that others could reach; calls over it do not come from loopback. */
const OUTWARD = Object.values(networkInterfaces())
  .flat()
  .find(entry => entry !== undefined && !entry.internal && entry.family === 'IPv4')?.address

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(more: Partial<ExchangeServerOptions> = {}) {
  const exchange = createSimulatedExchange(replayOf(flatMarket(100, 30)))
  const server = await startExchangeServer({ exchange, clock: new HandClock(START), ...more })
  servers.push(server)
  const call = async (method: string, target: string, body?: unknown) => {
    const { status, text } = await send(
      server.url,
      method,
      target,
      {},
      body === undefined ? '' : JSON.stringify(body),
    )
    return { status, json: JSON.parse(text) }
  }
  return { call, exchange, url: server.url }
}

describe('the admin side', () => {
  it('shows accounts, books and their hash', async () => {
    const { call, exchange } = await serve()
    const { status, json } = await call('GET', '/sim/state')
    expect([status, json.time, json.stateHash]).toEqual([200, START, exchange.stateHash])
    expect(json.users[0].account.holdings).toEqual({
      USDT: { free: '10000', locked: '0' },
      BTC: { free: '10', locked: '0' },
    })
    expect(json.markets[0]).toMatchObject({ symbol: 'BTC/USDT', reference: '100.00' })
    expect(json.markets[0].bids[0]).toEqual(['99.99', '10001.00010', 1])
  })

  it('sets faults, lists them with what they struck, and lifts them', async () => {
    const { call } = await serve()
    const set = await call('POST', '/sim/faults', [
      { fault: 'maintenance', endpoint: 'spotPing', until: '+1m' },
      { fault: 'delay', delayMs: 5, endpoint: 'spotTime' },
    ])
    expect(set.json).toEqual([{ id: 1 }, { id: 2 }])
    expect((await call('GET', '/sapi/v2/ping')).status).toBe(503)
    expect((await call('GET', '/sim/faults')).json).toEqual([
      {
        id: 1,
        fault: 'maintenance',
        endpoint: 'spotPing',
        probability: 1,
        until: START + MINUTE,
        seen: 1,
        struck: 1,
      },
      {
        id: 2,
        fault: 'delay',
        endpoint: 'spotTime',
        probability: 1,
        delayMs: 5,
        jitterMs: 0,
        seen: 0,
        struck: 0,
      },
    ])
    expect((await call('DELETE', '/sim/faults?id=1')).json).toEqual({ lifted: 1 })
    expect((await call('GET', '/sapi/v2/ping')).status).toBe(200)
    expect((await call('DELETE', '/sim/faults')).json).toEqual({ lifted: 1 })
  })

  it('sets none of several faults if one of them cannot be', async () => {
    const { call } = await serve()
    const { status, json } = await call('POST', '/sim/faults', [{ fault: 'dropAfter' }, { fault: 'delay' }])
    expect([status, json.msg]).toEqual([400, 'delayMs must be a whole number from 1 to 86400000.'])
    expect((await call('GET', '/sim/faults')).json).toEqual([])
  })

  it('deposits money into either wallet of the account that is named, the first by default', async () => {
    const { call, exchange } = await serve()
    await call('POST', '/sim/deposit', { asset: 'USDT', amount: '0.000000000000000001' })
    await call('POST', '/sim/deposit', { uid: 10_002, asset: 'DOGE', amount: 5 })
    await call('POST', '/sim/deposit', { asset: 'USDT', amount: '7', wallet: 'futures' })
    const [first, second] = exchange.state.users
    expect(first?.account.holding('USDT').free).toBe(10_000n * 10n ** 18n + 1n)
    expect(second?.account.holding('DOGE').free).toBe(5n * 10n ** 18n)
    expect(exchange.futures.accountOf(10_001).wallets.get('USDT')?.normal).toBe(10_007n * 10n ** 18n)
  })

  it.each([
    [
      '/sim/deposit',
      { uid: 7, asset: 'USDT', amount: '1' },
      'There is no account with the uid 7; there are 10001, 10002.',
    ],
    ['/sim/deposit', { asset: 'USDT', amount: '-1' }, 'A deposit must be above 0, but it is -1.'],
    ['/sim/deposit', { asset: 'USDT', amount: 'lots' }, 'amount must be an amount with at most 18 decimals.'],
    [
      '/sim/price',
      { symbol: 'ETH/USDT', price: '1' },
      'There is no market ETH/USDT; there are BTC/USDT, E-ETH-USDT.',
    ],
    [
      '/sim/price',
      { symbol: 'BTC/USDT', price: '1.001' },
      'The price 1.001 is off the grid: at most 2 decimals are allowed.',
    ],
    [
      '/sim/price',
      { symbol: 'E-BTC-USDT', price: '1' },
      'The contract E-BTC-USDT follows the spot pair BTC/USDT; move the price of that.',
    ],
    [
      '/sim/price',
      { symbol: 'E-ETH-USDT', price: '1.001' },
      'The price 1.001 is off the grid: at most 2 decimals are allowed.',
    ],
    ['/sim/price', { symbol: 'e-eth-usdt', price: '0' }, 'A price must be above 0, but it is 0.'],
    [
      '/sim/time',
      { advanceMs: 1 },
      'The clock runs by itself; start the exchange with --manual-time to move it.',
    ],
    [
      '/sim/restore',
      { format: 'x' },
      'This is no snapshot of a simulated exchange in the format sluice-exchange-1; give one as it was taken.',
    ],
  ])('refuses %s of %j with a sentence', async (path, body, msg) => {
    const { call, exchange } = await serve()
    const hash = exchange.stateHash
    expect(await call('POST', path, body)).toEqual({ status: 400, json: { code: 'USAGE', msg } })
    expect(exchange.stateHash).toBe(hash)
  })

  it.each([
    ['a name that leads here', { host: 'rebound.example.com' }, 'instead of the Host "rebound.example.com"'],
    ['a name that begins as ours', { host: '127.0.0.1.example.com:80' }, 'instead of the Host'],
    ['a web page', { origin: 'https://example.com' }, 'but the Origin is "https://example.com"'],
    ['a web page of another local server', { origin: 'http://127.0.0.1:1' }, 'but the Origin is'],
    ['a page without an origin of its own', { origin: 'null' }, 'but the Origin is "null"'],
  ])('refuses requests of %s', async (_what, headers, sentence) => {
    const { exchange } = await serve()
    const hash = exchange.stateHash
    const url = servers[0]?.url ?? ''
    for (const [method, target] of [
      ['GET', '/sim/state'],
      ['POST', '/sim/price'],
      ['POST', '/sim/restore'],
    ] as const) {
      const { status, text } = await send(url, method, target, headers, '{"symbol":"BTC/USDT","price":"90"}')
      expect([status, JSON.parse(text)]).toEqual([
        403,
        { code: 'USAGE', msg: expect.stringContaining(sentence) },
      ])
    }
    expect(exchange.stateHash).toBe(hash)
  })

  it.each(['localhost', 'LOCALHOST:80', '[::1]:80', '127.0.0.1'])('serves a Host of %s', async host => {
    await serve()
    const url = servers[0]?.url ?? ''
    expect((await send(url, 'GET', '/sim/faults', { host, origin: `http://${host}` })).status).toBe(200)
  })

  it('bounds bodies and steps of time', async () => {
    const clock = new VirtualClock(START)
    const { call } = await serve({ clock, moveClock: to => clock.advanceTo(to) })
    const url = servers[0]?.url ?? ''
    const long = await send(url, 'POST', '/sim/faults', {}, ' '.repeat(1024 ** 2 + 1))
    expect([long.status, JSON.parse(long.text)]).toEqual([
      413,
      { code: 'USAGE', msg: 'The body must not be longer than 1048576 bytes.' },
    ])
    for (const advanceMs of [7 * 24 * 3_600_000 + 1, Number.MAX_SAFE_INTEGER]) {
      expect(await call('POST', '/sim/time', { advanceMs })).toEqual({
        status: 400,
        json: { code: 'USAGE', msg: 'advanceMs must be a whole number from 0 to 604800000.' },
      })
    }
    expect(clock.now()).toBe(START)
  })

  it('says what there is where it is asked for something else', async () => {
    const { call } = await serve()
    const { status, json } = await call('GET', '/sim/snapshot')
    expect([status, json.msg]).toEqual([
      404,
      expect.stringContaining('There is no GET /sim/snapshot; there are GET /sim/state,'),
    ])
    expect((await send(servers[0]?.url ?? '', 'POST', '/sim/faults', {}, '{')).text).toContain(
      'The body must be JSON.',
    )
  })

  it('keeps the log of events by sequence', async () => {
    const { call } = await serve()
    await call('GET', '/sapi/v2/ping')
    await call('POST', '/sim/price', { symbol: 'BTC/USDT', price: '90' })
    const { events } = (await call('GET', '/sim/events?after=1')).json
    expect(events).toEqual([{ sequence: 2, time: START, type: 'shock', symbol: 'BTC/USDT', price: '90' }])
    expect((await call('GET', '/sim/events?limit=1')).json.events).toMatchObject([
      { sequence: 1, type: 'request' },
    ])
    expect((await call('GET', '/sim/events?after=x')).status).toBe(400)
  })

  it('moves a clock that does not run by itself', async () => {
    const clock = new VirtualClock(START)
    const { call } = await serve({ clock, moveClock: to => clock.advanceTo(to) })
    expect((await call('POST', '/sim/time', { advanceMs: 90_000 })).json).toEqual({ time: START + 90_000 })
    expect((await call('GET', '/sapi/v2/time')).json.serverTime).toBe(START + 90_000)
  })

  it('can be switched off, and is then a path like any other', async () => {
    const { call } = await serve({ admin: false })
    const unknown = await call('GET', '/sapi/v2/nothing')
    expect(await call('GET', '/sim/state')).toEqual(unknown)
  })

  it.runIf(OUTWARD !== undefined)(
    'refuses whoever does not come from loopback, on a host open to all',
    async () => {
      const { url, call } = await serve({ host: '0.0.0.0', allowRemote: true })
      const strange = `http://${OUTWARD}:${new URL(url).port}`
      expect((await send(strange, 'GET', '/sim/state')).status).toBe(403)
      expect((await send(strange, 'POST', '/sim/faults', {}, '{"fault":"dropAfter"}')).status).toBe(403)
      expect((await send(strange, 'GET', '/sapi/v2/ping')).text).toBe('{}')
      expect((await call('GET', '/sim/faults')).json).toEqual([])
    },
  )

  it('is not reached through the paths of the exchange', async () => {
    const { call, exchange } = await serve()
    for (const target of [
      '/sapi/../sim/state',
      '/sapi//sim/state',
      '/SIM/state',
      '/%73im/state',
      '//sim/state',
      '/sim',
    ]) {
      expect((await call('GET', target)).json).not.toHaveProperty('stateHash')
    }
    const request = { method: 'GET', target: '/sim/state', headers: {}, body: '' }
    expect(exchange.handle(request, START).status).toBe(404)
  })

  it.each([
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.7', false],
    ['::ffff:10.0.0.7', false],
    ['fe80::1', false],
    ['127.0.0.1.example.com', false],
    [undefined, false],
  ])('takes the peer %s for this machine: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected)
  })
})

describe('a price shock', () => {
  it('fills what it trades through, is a trade of the market, and moves all prices after it', () => {
    const klines = klinesOf([100, 100, 100, 100], [100, 110, 100, 110])
    const exchange = createSimulatedExchange(replayOf(klines))
    exchange.advance(START)
    exchange.stage({ type: 'shock', time: START + 50_000, symbol: 'btcusdt', price: '50' })
    const [listed] = exchange.state.markets
    expect(listed?.reference).toBe(5000)
    expect([...(listed?.klines('1m', START + 50_000) ?? [])]).toMatchObject([{ low: 5000, close: 5000 }])
    exchange.advance(START + 2 * MINUTE)
    expect(listed?.reference).toBe(5500)
  })

  it('of a spot pair takes the contracts that follow it along at once', () => {
    const caller = FuturesCaller.open(futuresOf(flatMarket(100)))
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    caller.exchange.stage({ type: 'shock', time: START, symbol: 'BTC/USDT', price: '120' })
    expect(caller.positions()[0]).toMatchObject({ indexPrice: 120, unRealizedAmount: 19.99 })
  })

  const own = (trades: readonly Trade[], quotes?: readonly TopOfBook[]) => {
    const market = { type: 'ticks', trades, ...(quotes && { quotes }) } as const
    return FuturesCaller.open(futuresOf(flatMarket(100), { market }))
  }
  const trade = (offset: number, price: number): Trade => ({
    ...{ time: START + offset, price, quantity: 1, side: 'buy' },
  })

  it('of a contract with a market of its own fills, triggers and liquidates, and moves all prices after it', () => {
    const caller = own([trade(0, 100), trade(5000, 110)])
    const resting = caller.order('BUY', 'OPEN', 'LIMIT', 1, 96, { positionType: 2 })
    caller.order('BUY', 'OPEN', 'MARKET', 10)
    const condition = { contractName: 'E-BTC-USDT', side: 'SELL', open: 'OPEN', type: 'MARKET', volume: 1 }
    const triggered = caller.post('/fapi/v1/conditionOrder', {
      ...{ ...condition, triggerType: '4DOWN', triggerPrice: 60 },
    })
    caller.exchange.stage({ type: 'shock', time: START + 1000, symbol: 'e-btc-usdt', price: '50' })
    caller.now = START + 1000
    expect([resting, triggered].map(placed => caller.find(placed))).toMatchObject([
      { status: 'FILLED', avgPrice: 96 },
      { status: 'FILLED', avgPrice: 49.99 },
    ])
    expect(caller.positions()).toMatchObject([{ side: 'SELL', volume: 1 }])
    const named = '?contractName=E-BTC-USDT'
    expect(caller.get(`/fapi/v1/klines${named}&interval=1min`).json[0]).toMatchObject({
      ...{ open: '100.00', low: '50.00', close: '50.00', vol: '10' },
    })
    caller.now = START + 5000
    expect(caller.get(`/fapi/v1/index${named}`).json).toMatchObject({ markPrice: 55, indexPrice: 55 })
  })

  it('moves recorded quotes by as much', () => {
    const top = (offset: number, bid: number, ask: number): TopOfBook => ({
      ...{ time: START + offset, bid, bidQuantity: 1, ask, askQuantity: 1 },
    })
    const caller = own([trade(0, 100)], [top(0, 99, 101), top(2000, 109.99, 110), top(3000, 120, 122)])
    const best = (offset: number) => {
      caller.now = START + offset
      const { bids, asks } = caller.get('/fapi/v1/depth?contractName=E-BTC-USDT').json
      return [bids[0][0], asks[0][0]]
    }
    expect(best(1)).toEqual(['99.00', '101.00'])
    caller.exchange.stage({ type: 'shock', time: START + 1000, symbol: 'E-BTC-USDT', price: '10' })
    expect(best(1000)).toEqual(['9.90', '10.10'])
    // 10.999 and 11 are a tick apart at least.
    expect(best(2000)).toEqual(['11.00', '11.01'])
    // From 10, the last trade, to 5, and what was 120 is a twentieth of that.
    caller.exchange.stage({ type: 'shock', time: START + 2500, symbol: 'E-BTC-USDT', price: '5' })
    expect(best(3000)).toEqual(['6.00', '6.10'])
  })
})
