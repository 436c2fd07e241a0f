import { describe, expect, it } from 'vitest'
import type { HttpRequest, Transport } from '../../src/exchange/http/transport.ts'
import { defineStrategy, enterLong, exit } from '../../src/strategy/index.ts'
import type { Journey } from '../faulty-transport.ts'
import { klinesOf, MINUTE } from '../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions } from './bot-session.ts'

/** In at one close, out at the next. */
const swinger = defineStrategy({
  name: 'swinger',
  onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: 90 }) : exit()),
})
/** Buys once, with a stop-loss. */
const holder = defineStrategy({
  name: 'holder',
  state: () => ({ isIn: false }),
  onKline: (_kline, { state }) => {
    if (state.isIn) return
    state.isIn = true
    return enterLong({ stopLoss: 90 })
  },
})

/** A bot that holds 1 BTC bought at 100 at 00:11, half a minute later. */
async function holding(options: Partial<BotSessionOptions> = {}): Promise<BotSession> {
  const session = new BotSession({ strategy: swinger, ...options })
  await session.start()
  await session.run(MINUTE + 30_000)
  expect(session.said('fill').map(({ side }) => side)).toEqual(['buy'])
  return session
}

/** Reasons of failed calls, each once. */
function reasonsIn(session: BotSession): readonly unknown[] {
  return [...new Set(session.said('a call to the exchange failed').map(({ reason }) => reason))]
}

const answer = (status: number, body: string): Journey => ({ answer: { status, body } })
const refusal = (code: number, msg: string) => answer(200, JSON.stringify({ code, msg }))

/** A host that refuses orders with a code while it is told to; none of them is placed. */
function orders(code: number, msg: string): Partial<BotSessionOptions> & { refused: boolean } {
  const state = { refused: false }
  return Object.assign(state, {
    host: (exchange: Transport) => (request: HttpRequest) =>
      state.refused && request.method === 'POST' && request.url.endsWith('/order')
        ? Promise.resolve({ status: 200, body: JSON.stringify({ code, msg }) })
        : exchange(request),
  })
}

describe('a host that is away for four minutes while a bot holds a position', () => {
  it.each<[string, Journey, RegExp]>([
    ['refuses connections', { refused: true }, /^The exchange/],
    ['is too slow', { backMs: 5000 }, /^The exchange gave no answer to spotTicker: No answer came in time\./],
    [
      'shows a page of maintenance',
      answer(503, '<html>maintenance</html>'),
      /^The exchange gave no answer to spotTicker: It answered HTTP 503 without readable content\./,
    ],
    [
      'forgot the paths of its public calls, as a gateway says it',
      answer(200, '{"code":"-1002","data":null,"msg":"UNAUTHORIZED","msgData":null,"succ":false}'),
      /^The exchange refused spotTicker with -1002 .* The call needs no key, so this is not about yours: the host does not know its path/,
    ],
    [
      'forgot the paths of its public calls, as a server says it',
      answer(404, '{"timestamp":"2024","status":404,"error":"Not Found","message":"","path":"/sapi"}'),
      /^The exchange refused spotTicker with no code \(HTTP 404\): Not Found/,
    ],
  ])(
    'which %s: says what is stale, keeps the position, and sells it once afterwards',
    async (_, journey, reason) => {
      const session = await holding()
      const isPublic = (call: string) => /\/(ticker|klines|symbols|depth|time)$/.test(call)
      const isAway = journey.answer === undefined || journey.answer.status === 503 ? () => true : isPublic
      session.journeyOf = call => (isAway(call) ? journey : undefined)
      await session.run(4 * MINUTE)
      expect(reasonsIn(session)).toContainEqual(expect.stringMatching(reason))
      const stale = session.said('market data are stale').map(({ stream }) => stream)
      expect(stale).toEqual(expect.arrayContaining(['spot ticker BTC/USDT', 'spot klines BTC/USDT 1m']))
      expect(session.said('fill')).toHaveLength(1)
      session.journeyOf = () => undefined
      // Reads that failed come back within a minute. The klines that were missed ask for one exit; that of 00:16:00
      // may ask for an entry.
      await session.run(80_000)
      expect(session.said('market data are fresh again').length).toBeGreaterThan(1)
      const sides = session.said('fill').map(({ side }) => side)
      expect([sides.slice(0, 2), sides.filter(side => side === 'sell').length]).toEqual([['buy', 'sell'], 1])
      expect(session.failures).toEqual([])
    },
  )

  it('whose signed calls ask for the key that was sent: ends, and says which call', async () => {
    const session = await holding()
    session.journeyOf = call => (call.includes('openOrders') ? refusal(-1002, 'UNAUTHORIZED') : undefined)
    await session.run(2 * MINUTE)
    expect(String(session.failures[0])).toContain(
      'The exchange refused spotOpenOrders with -1002 UNAUTHORIZED',
    )
  })
})

describe('a host that changes its rules while a bot trades', () => {
  /** What is said of a list of pairs in which `from` has become `to`. */
  function listing(from: RegExp, to: string): Partial<BotSessionOptions> & { change(): void } {
    let isChanged = false
    return {
      change: () => {
        isChanged = true
      },
      host: exchange => async request => {
        const told = await exchange(request)
        const isListed = isChanged && request.url.includes('/symbols')
        return isListed ? { ...told, body: told.body.replace(from, to) } : told
      },
    }
  }

  it('halts a pair with other decimals, and says what a person has to do', async () => {
    const { change, ...options } = listing(/"pricePrecision":2/, '"pricePrecision":0')
    const session = await holding({ strategy: holder, ...options })
    change()
    await session.run(2 * MINUTE)
    const [halt] = session.said('trading halted')
    expect(JSON.stringify(halt)).toContain(
      'The exchange changed pricePrecision of BTC/USDT from 2 to 0, so that its strategies trade nothing of it any more, exits included. Stop-losses',
    )
    expect(session.failures).toEqual([])
  })

  it('sells at the stop-loss what fits the decimals that it takes now', async () => {
    const flat = Array.from({ length: 13 }, () => [100, 100, 100, 100] as const)
    const low = Array.from({ length: 40 }, () => [85, 85, 85, 85] as const)
    const klines = klinesOf(...flat, ...low)
    const session = await holding({ strategy: holder, klines, size: { base: 1.23456 } })
    const rule = {
      fault: 'changedPrecision',
      symbol: 'BTC/USDT',
      pricePrecision: 1,
      quantityPrecision: 2,
    } as const
    session.exchange.stage({ type: 'setFault', time: session.clock.now(), rule })
    await session.run(3 * MINUTE)
    const fills = session.said('fill').map(({ side, quantity }) => [side, Number(quantity)])
    // 1.23456 less a fee of 0.1% is 1.23332.
    expect(fills).toEqual([
      ['buy', 1.23456],
      ['sell', 1.23],
    ])
    expect(session.said('order rejected').map(({ reason }) => String(reason))).not.toContainEqual(
      expect.stringContaining('-1147'),
    )
    expect(session.failures).toEqual([])
  })

  it('says that exits of the strategy wait meanwhile, and sells what an operator flattens', async () => {
    const flat = Array.from({ length: 60 }, () => [100, 100, 100, 100] as const)
    const session = await holding({ klines: klinesOf(...flat), size: { base: 1.23456 } })
    const rule = { fault: 'changedPrecision', symbol: 'BTC/USDT', quantityPrecision: 2 } as const
    session.exchange.stage({ type: 'setFault', time: session.clock.now(), rule })
    await session.run(2 * MINUTE)
    expect(session.said('fill')).toHaveLength(1)
    expect(session.said('order denied').at(-1)).toMatchObject({
      purpose: 'exit',
      why: expect.stringContaining(
        'so that its strategies trade nothing of it any more, exits included. Stop-losses',
      ),
    })
    await session.operate('flatten')
    await session.run(MINUTE)
    expect(session.said('fill').map(({ side, quantity }) => [side, Number(quantity)])).toEqual([
      ['buy', 1.23456],
      ['sell', 1.23],
    ])
    expect(session.failures).toEqual([])
  })

  it('sends the exit of the strategy that the halt denied once the list is back', async () => {
    const flat = Array.from({ length: 60 }, () => [100, 100, 100, 100] as const)
    const session = await holding({ klines: klinesOf(...flat), size: { base: 1.23456 } })
    const rule = { fault: 'changedPrecision', symbol: 'BTC/USDT', quantityPrecision: 2 } as const
    session.exchange.stage({ type: 'setFault', time: session.clock.now(), rule })
    await session.run(2 * MINUTE)
    expect(session.said('order denied').map(({ purpose }) => purpose)).toContain('exit')
    session.exchange.stage({ type: 'liftFault', time: session.clock.now() })
    await session.run(MINUTE)
    // 1.23456 less a fee of 0.1%.
    expect(session.said('fill').map(({ side, quantity }) => [side, Number(quantity)])[1]).toEqual([
      'sell',
      1.23332,
    ])
    expect(session.failures).toEqual([])
  })

  it('says that a minimum has changed', async () => {
    const { change, ...options } = listing(/"limitVolumeMin":"[^"]*"/, '"limitVolumeMin":"5"')
    const session = await holding(options)
    change()
    await session.run(2 * MINUTE)
    expect(session.said('the exchange changed a listing')[0]).toMatchObject({
      symbol: 'BTC/USDT',
      change: { rules: [{ rule: 'minQuantity', before: '0.00001', after: '5' }] },
    })
    expect(session.failures).toEqual([])
  })

  it.each([
    [-1136, 'Volume below 5', '-1136 ORDER_QUANTITY_TOO_SMALL (HTTP 200): Volume below 5'],
    [-2016, 'Trading is frozen.', '-2016 EXCHANGE_LOCK (HTTP 200): Trading is frozen.'],
  ])(
    'goes on while it refuses orders with %i: says so, and sells once it takes them again',
    async (code, msg, what) => {
      const host = orders(code, msg)
      const session = await holding(host)
      host.refused = true
      await session.run(2 * MINUTE)
      const [rejected] = session.said('order rejected')
      expect(rejected).toMatchObject({
        purpose: 'exit',
        reason: `The exchange refused spotNewOrder with ${what}`,
      })
      host.refused = false
      // Before the close of 00:14, at which the strategy would ask again: the exit is sent again by itself.
      await session.run(29_000)
      expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
      await session.run(31_000)
      expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell', 'buy'])
      expect(session.failures).toEqual([])
    },
  )

  const flat = Array.from({ length: 12 }, () => [100, 100, 100, 100] as const)
  const low = Array.from({ length: 40 }, () => [85, 85, 85, 85] as const)

  it('sends the stop-loss again and again while a pair is frozen, and sells within half a minute after it', async () => {
    const host = orders(-2016, 'Trading is frozen.')
    const session = await holding({ strategy: holder, klines: klinesOf(...flat, ...low), ...host })
    host.refused = true
    await session.run(2 * MINUTE)
    // Three at once about 00:12:10, then after 2, 4, 8, 16 and 30 s, and once at the close at 00:13.
    const refusals = session.said('order rejected').length
    expect(refusals).toBeGreaterThanOrEqual(7)
    expect(refusals).toBeLessThanOrEqual(10)
    expect(session.said('fill')).toHaveLength(1)
    expect(session.said('position is not protected')[0]).toMatchObject({
      symbol: 'BTC/USDT',
      purpose: 'stopLoss',
    })
    host.refused = false
    await session.run(32_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect(session.failures).toEqual([])
  })

  it('sends the stop-loss again within seconds after a maintenance, however long its klines are', async () => {
    const host = orders(-1016, 'SERVICE_SHUTTING_DOWN')
    const session = await holding({ strategy: holder, klines: klinesOf(...flat, ...low), ...host })
    await session.run(29_000)
    host.refused = true
    while (session.said('order rejected').length < 3) await session.run(1000)
    host.refused = false
    await session.run(5000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })

  it('closes what an operator flattens once it takes orders again, and does not storm it before', async () => {
    const host = orders(-2016, 'Trading is frozen.')
    const session = await holding({ strategy: holder, ...host })
    host.refused = true
    await session.operate('flatten')
    await session.run(20_000)
    const refusals = session.said('order rejected').length
    expect(refusals).toBeGreaterThanOrEqual(3)
    expect(refusals).toBeLessThanOrEqual(5)
    host.refused = false
    await session.run(32_000)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell'])
  })

  it('closes at the end what it refused for a moment', async () => {
    const host = orders(-2016, 'Trading is frozen.')
    const session = await holding({ strategy: holder, execution: { onStop: 'flatten' }, ...host })
    host.refused = true
    session.clock.schedule(4000, () => {
      host.refused = false
    })
    expect(await session.leave(20_000)).toMatchObject({ fills: 2, held: [] })
  })
})

describe('a host that begins to answer as another exchange does', () => {
  it.each<[string, (body: string) => string]>([
    [
      'every list inside { code, msg, data }',
      body =>
        body.startsWith('[') ? `{"code":"0","msg":"成功","data":${body === '[]' ? 'null' : body}}` : body,
    ],
    ['every list inside { list }', body => (body.startsWith('[') ? `{"list":${body}}` : body)],
    [
      'ids as text, and its time as server_time',
      body =>
        body.replace(/"(orderId|id|bidId|askId)":(\d+)/g, '"$1":"$2"').replace('serverTime', 'server_time'),
    ],
  ])('trades on with %s', async (_, changed) => {
    let isOther = false
    const session = await holding({
      host: exchange => async request => {
        const told = await exchange(request)
        return isOther ? { ...told, body: changed(told.body) } : told
      },
    })
    isOther = true
    await session.run(2 * MINUTE)
    expect(session.said('fill').map(({ side }) => side)).toEqual(['buy', 'sell', 'buy'])
    expect(reasonsIn(session)).toEqual([])
    expect(session.failures).toEqual([])
  })
})
