import { describe, expect, it } from 'vitest'
import type { CallLimits } from '../../../src/exchange/budget/call-limits.ts'
import type { HttpResponse } from '../../../src/exchange/http/transport.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { rejectionOf } from '../../exchange/call/scripted-exchange.ts'
import { type ClientWorld, NOW, scriptedWorld, settled, simulatedWorld, usualConfig } from './client-world.ts'

const symbol = 'BTC/USDT'
const ORDER = { symbol, type: 'limit', side: 'buy', quantity: '0.2', price: '60' } as const
const MINUTE = 60_000

/** A client that asks for as much as it likes. */
const limits: Partial<CallLimits> = {
  ipWeightPerMinute: Number.POSITIVE_INFINITY,
  uidWeightPerMinute: Number.POSITIVE_INFINITY,
  perEndpoint: false,
}

/** Answers in order, the last one for ever. */
function answers(...list: readonly (HttpResponse | string)[]) {
  let next = 0
  return () => list[Math.min(next++, list.length - 1)] ?? '{}'
}

const TOO_MANY: HttpResponse = { status: 429, body: '{"code":-1003,"msg":"Too much request weight used."}' }
const DEPTH = '{"bids":[],"asks":[]}'

describe.each(['scripted', 'simulated'])('an exchange (%s)', kind => {
  const open = (script: () => HttpResponse | string, config = usualConfig()): ClientWorld =>
    kind === 'scripted' ? scriptedWorld(script, { limits }) : simulatedWorld(config, { limits })

  it('that has had too much weight (429) is left alone for a minute, and then answers again', async () => {
    // 10 weights a minute are two depths of 5.
    const { client, clock, arrivals } = open(
      answers(DEPTH, DEPTH, TOO_MANY, DEPTH),
      usualConfig({ limits: { ipWeightPerMinute: 10 } }),
    )
    await client.spot.depth({ symbol })
    await client.spot.depth({ symbol })
    const until = NOW + MINUTE + 1
    const refused = await rejectionOf(client.spot.placeOrder(ORDER))
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', reaction: 'retry', until })
    expect(refused).toMatchObject({ cause: { httpStatus: 429, exchangeCode: -1003 } })
    expect(await rejectionOf(client.spot.cancelOrder({ symbol, orderId: '1' }))).toMatchObject({ until })
    expect(arrivals).toHaveLength(3)
    await clock.advanceTo(until)
    await expect(client.spot.depth({ symbol })).resolves.toBeDefined()
    expect(arrivals).toHaveLength(4)
  })

  it('that has banned the address (418) is left alone as long as it says, which doubles', async () => {
    const banned = (until: number): HttpResponse => ({
      status: 418,
      body: `{"code":-1003,"msg":"Way too much request weight used; the address is banned until ${until}."}`,
    })
    const [first, again] = [NOW + 2 * MINUTE, NOW + 2 * MINUTE + 4 * MINUTE]
    const { client, clock, arrivals } = open(
      answers(DEPTH, banned(first), DEPTH, banned(again)),
      usualConfig({ limits: { ipWeightPerMinute: 5, toleratedRefusals: 0 } }),
    )
    const spendTwice = async () => {
      await client.spot.depth({ symbol })
      return rejectionOf(client.spot.placeOrder(ORDER))
    }
    expect(await spendTwice()).toMatchObject({ code: 'RATE_LIMITED', until: first })
    expect(client.state().calls.ban).toMatchObject({ until: first, strikes: 1 })
    // A read waits for its turn up to 10 s.
    await clock.advanceTo(first - 10_001)
    expect(await rejectionOf(client.spot.ping())).toMatchObject({ code: 'RATE_LIMITED', until: first })
    expect(arrivals).toHaveLength(2)
    await clock.advanceTo(first)
    expect(await spendTwice()).toMatchObject({ code: 'RATE_LIMITED', until: again })
    expect(client.state().calls.ban).toMatchObject({ until: again, strikes: 2 })
  })

  it('whose limit of one endpoint is broken (410) is spared that endpoint, and no other', async () => {
    const order = '{"orderId":1}'
    const gone: HttpResponse = { status: 410, body: '{"code":-1003,"msg":"Too many requests."}' }
    const { client, clock } = open(answers(...Array(100).fill(order), gone, DEPTH, order))
    for (let count = 0; count < 100; count++) await client.spot.placeOrder(ORDER)
    const error = await rejectionOf(client.with({ maxWaitMs: 0 }).spot.placeOrder(ORDER))
    const until = NOW + 2001
    expect(error).toMatchObject({ code: 'RATE_LIMITED', endpoint: 'spotNewOrder', until })
    await expect(client.spot.depth({ symbol })).resolves.toBeDefined()
    await clock.advanceTo(until)
    await expect(client.spot.placeOrder(ORDER)).resolves.toMatchObject({ orderId: expect.any(String) })
  })
})

const CALLS = 3000

describe('a client that keeps the documented limits', () => {
  it('is never refused by an exchange that enforces them, whatever it asks for', async () => {
    const world = simulatedWorld(
      usualConfig({
        maxOpenOrders: 5000,
        keptEvents: 100_000,
        accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '1e9' } }],
      }),
    )
    const { client, exchange } = world
    const patient = client.with({ maxWaitMs: 10 * MINUTE })
    const call = (index: number): Promise<unknown> => {
      if (index % 10 === 0) return patient.spot.tickers()
      if (index % 10 === 1) return patient.margin.openOrders({ symbol })
      if (index % 2 === 0) return patient.spot.testOrder(ORDER)
      if (index % 5 === 0) return patient.spot.placeOrder(ORDER)
      return patient.spot.depth({ symbol })
    }
    let sent = 0
    const sender = async () => {
      while (sent < CALLS) await call(sent++)
    }
    await settled(world, Promise.all(Array.from({ length: 100 }, sender)))
    const statuses = new Map<unknown, number>()
    for (const { status } of exchange?.eventsAfter(0, 100_000) ?? []) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    // 300 times 80 for all tickers, and what else there is: more than two minutes of 12,000.
    expect(world.clock.now() - NOW).toBeGreaterThan(2 * MINUTE)
    expect(statuses.get(200)).toBeGreaterThanOrEqual(CALLS)
    expect([...statuses.keys()]).toEqual([200])
  })
})
