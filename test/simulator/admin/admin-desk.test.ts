import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/virtual-clock.ts'
import { isLoopback } from '../../../src/simulator/admin/loopback.ts'
import {
  type ExchangeServer,
  type ExchangeServerOptions,
  startExchangeServer,
} from '../../../src/simulator/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { flatMarket, klinesOf, MINUTE, replayOf, START } from '../exchange-caller.ts'
import { HandClock } from '../hand-clock.ts'
import { send } from '../raw-http.ts'

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
    ['/sim/price', { symbol: 'ETH/USDT', price: '1' }, 'There is no market ETH/USDT; there are BTC/USDT.'],
    [
      '/sim/price',
      { symbol: 'BTC/USDT', price: '1.001' },
      'The price 1.001 is off the grid: at most 2 decimals are allowed.',
    ],
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
})
