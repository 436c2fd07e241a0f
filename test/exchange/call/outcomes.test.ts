import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/exchange/endpoints/endpoint.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { ACCOUNT, MARKET, ORDER } from '../budget/endpoint-rows.ts'
import { callWorld, outcomeOf } from './call-world.ts'
import { NOW, rejectionOf, scriptedExchange } from './scripted-exchange.ts'

const reset = (): never => {
  throw new Error('read ECONNRESET')
}
const refused = (): never => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { sent: false })
}

/** When each try of a call arrives, ms after the first. */
async function triesOf(
  endpoint: Endpoint,
  serve: () => never,
  random: () => number,
): Promise<readonly number[]> {
  const world = callWorld(serve, { random })
  outcomeOf(world.call(endpoint, {}))
  await world.clock.advanceTo(NOW + 10_000)
  return world.arrivals.map(({ at }) => at - NOW - 10)
}

describe('a read', () => {
  it.each([
    [0, [0, 125 + 10, 125 + 10 + 250 + 10]],
    [0.5, [0, 250 + 10, 250 + 10 + 500 + 10]],
    [0.999_999, [0, 375 + 10, 375 + 10 + 750 + 10]],
  ])('is tried three times, with pauses that double and that chance %d spreads', async (random, tries) => {
    expect(await triesOf(ACCOUNT, reset, () => random)).toEqual(tries)
    expect(await triesOf(ACCOUNT, refused, () => random)).toEqual(tries)
  })

  it('counts for its budgets with every try', async () => {
    const world = callWorld(reset)
    outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 10_000)
    expect(world.gate.state()).toMatchObject({ ip: { used: 3 }, inFlight: { used: 0 } })
  })

  it('can be taken back between its tries', async () => {
    const world = callWorld(reset)
    const controller = new AbortController()
    const outcome = outcomeOf(world.call(MARKET, {}, { signal: controller.signal }))
    await world.clock.advanceTo(NOW + 100)
    controller.abort(new Error('enough'))
    await world.clock.advanceTo(NOW + 10_000)
    expect(outcome.error).toEqual(new Error('enough'))
    expect(world.arrivals).toHaveLength(1)
  })
})

describe('a write', () => {
  it.each([
    [
      '{"code":-1007,"msg":"Timeout waiting for a reply."}',
      '-1007 TIMEOUT (HTTP 400): Timeout waiting for a reply.',
    ],
    ['{"code":-1006,"msg":"UNEXPECTED_RESP"}', '-1006 UNEXPECTED_RESP (HTTP 400): UNEXPECTED_RESP.'],
  ])('that was answered %s is in doubt, and not called refused', async (body, answer) => {
    const world = callWorld(() => ({ status: 400, body }))
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 1000)
    expect(outcome.error).toMatchObject({
      code: 'UNKNOWN_OUTCOME',
      message: `The exchange may have executed newOrder: It answered ${answer} Look it up before acting on it.`,
    })
  })

  it('stays where its commit fails, says why, and counts for no budget', async () => {
    const world = callWorld(() => '{}')
    const full = new Error('The disk is full.')
    const commit = () => {
      throw full
    }
    const outcome = outcomeOf(world.call(ORDER, {}, { onDeparture: () => commit }))
    await world.clock.advanceTo(NOW + 10_000)
    expect(world.arrivals).toEqual([])
    expect(outcome.error).toBe(full)
    expect(world.gate.state()).toMatchObject({ ip: { used: 0 }, uid: { used: 0 }, inFlight: { used: 0 } })
  })

  it.each([
    ['a broken connection', reset, 'UNKNOWN_OUTCOME'],
    ['an unreachable host', refused, 'NOT_SENT'],
    ['an answer that names a member twice', () => '{"code":-2010,"code":0}', 'UNKNOWN_OUTCOME'],
  ])('is tried once after %s', async (_name, serve, code) => {
    const world = callWorld(serve)
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 10_000)
    expect(outcome.error).toMatchObject({ code })
    expect(world.arrivals).toHaveLength(1)
  })
})

describe('the client', () => {
  it('makes calls with options in the same budgets', async () => {
    const clock = callWorld(() => '{}').clock
    const client = createExchangeClient({
      spotUrl: 'https://exchange.test',
      clock,
      transport: async () => ({ status: 200, body: '{}' }),
    })
    await client.with({ lane: 'cancel' }).spot.ping()
    await client.spot.ping()
    expect(client.state()).toMatchObject({
      calls: { ip: { used: 2, limit: 12_000 }, uid: { used: 0 }, pause: undefined, ban: undefined },
      clock: { uncertaintyMs: Number.POSITIVE_INFINITY },
    })
    const signal = AbortSignal.abort(new Error('enough'))
    expect(await rejectionOf(client.with({ signal }).spot.ping())).toEqual(new Error('enough'))
  })

  it('lets the own trades of an order be asked for as urgently as the order itself', async () => {
    const limits = { ipWeightPerMinute: 1000, uidWeightPerMinute: 1000 }
    const { spot } = scriptedExchange(['[]'], { limits, maxWaitMs: 0 })
    // Reconciliation may use 990 of 1000, the account's lane 940.
    for (let weight = 0; weight < 940; weight += 20) await spot.historyOrders({ symbol: 'BTC/USDT' })
    const query = { symbol: 'BTC/USDT' }
    await expect(spot.myTrades(query, { lane: 'reconciliation' })).resolves.toEqual([])
    expect(await rejectionOf(spot.myTrades(query))).toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('tells the time of the exchange', async () => {
    const { clock } = callWorld(() => '{}')
    const body = `{"serverTime":${NOW + 5000}}`
    const transport = async () => ({ status: 200, body })
    const client = createExchangeClient({ spotUrl: 'https://exchange.test', clock, transport })
    await client.synchronise()
    expect(client.serverNow()).toBe(NOW + 5000)
    expect(client.state().clock).toEqual({ offsetMs: 5000, uncertaintyMs: 1, roundTripMs: 0, ageMs: 0 })
  })

  it('sends -1003 home as a limit, not as a refusal', async () => {
    const { spot } = scriptedExchange(['{"code":"-1003","msg":"Too many requests"}'])
    const error = await rejectionOf(spot.order({ symbol: 'BTC/USDT', orderId: '1' }))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', cause: { exchangeCode: -1003 } })
  })
})
