import { describe, expect, it } from 'vitest'
import { type Lane, laneOf } from '../../../src/exchange/budget/lane.ts'
import type { Endpoint } from '../../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import { callWorld, outcomeOf } from '../call/call-world.ts'
import { rejectionOf } from '../call/scripted-exchange.ts'
import { ACCOUNT, CANCEL, endpointRow, MARKET, ORDER, QUERY } from './endpoint-rows.ts'

const OK = (): string => '{}'
const namesOf = ({ arrivals }: { arrivals: readonly { name: string }[] }): readonly string[] =>
  arrivals.map(({ name }) => name.split('/').at(-1) ?? '')

/** Limits so small that two market calls of weight 90 fill them: 200 a minute, 180 of it for market data. */
const SMALL = { ipWeightPerMinute: 200 }
const HEAVY = endpointRow({ key: 'heavy', weight: 90 })

describe('a call', () => {
  it('leaves at once while there is room', async () => {
    const world = callWorld(OK)
    const outcome = outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(world.clock.now() + 20)
    expect(outcome.value).toEqual({})
  })

  it('waits until the minute after the answers to what fills the limit', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: 100_000 })
    const start = world.clock.now()
    for (let count = 0; count < 3; count++) void world.call(HEAVY, {})
    await world.clock.advanceTo(start + 100_000)
    expect(world.arrivals.map(({ at }) => at - start)).toEqual([10, 10, 60_031])
  })

  it('counts against the address, and if signed against the account', async () => {
    const world = callWorld(OK, { maxWaitMs: 100_000, limits: { uidWeightPerMinute: 200 } })
    const signed = endpointRow({ key: 'signed', security: 'USER_DATA', weight: 94 })
    for (let count = 0; count < 3; count++) void world.call(signed, {})
    for (let count = 0; count < 3; count++) void world.call(HEAVY, {})
    await world.clock.advanceTo(world.clock.now() + 50)
    expect(namesOf(world).toSorted()).toEqual(['heavy', 'heavy', 'heavy', 'signed', 'signed'])
    expect(world.gate.state()).toMatchObject({
      ip: { used: 2 * 94 + 3 * 90, limit: 12_000 },
      uid: { used: 2 * 94, limit: 200 },
      inFlight: { used: 0, limit: 64 },
      waiting: { account: 1, market: 0 },
    })
  })

  it('keeps to the rate limit of its endpoint, and lets others pass meanwhile', async () => {
    const world = callWorld(OK)
    const limited = endpointRow({ key: 'limited', rateLimit: { calls: 2, perMs: 1000 } })
    const start = world.clock.now()
    for (let count = 0; count < 3; count++) void world.call(limited, {})
    void world.call(MARKET, {})
    await world.clock.advanceTo(start + 2000)
    expect(namesOf(world)).toEqual(['limited', 'limited', 'market', 'limited'])
    expect(world.arrivals.at(-1)?.at).toBe(start + 1031)
    expect(world.gate.state().endpoints.limited).toEqual({ used: 1, limit: 2 })
  })

  it('leaves at once past those that wait for a limit which it does not need', async () => {
    const world = callWorld(OK)
    const limited = endpointRow({ key: 'limited', rateLimit: { calls: 1, perMs: 1000 } })
    for (let count = 0; count < 3; count++) void world.call(limited, {})
    const gate = (lane: Lane, endpoint: Endpoint) =>
      world.gate.enterAtOnce({ endpoint, weight: 1, lane, maxWaitMs: 0, signal: undefined })
    expect(world.gate.state().waiting.market).toBe(2)
    expect(gate('market', limited)).toBeUndefined()
    expect(gate('market', MARKET)).toBeDefined()
    expect(gate('order', ORDER)).toBeDefined()
  })

  it('does not leave at once past one that waits for a limit of all', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: 100_000 })
    for (let count = 0; count < 3; count++) void world.call(HEAVY, {})
    const gate = (lane: Lane) =>
      world.gate.enterAtOnce({ endpoint: MARKET, weight: 0, lane, maxWaitMs: 0, signal: undefined })
    expect(gate('market')).toBeUndefined()
    expect(gate('account')).toBeDefined()
  })

  it('that was not sent gives its weight back', async () => {
    const world = callWorld(
      () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { sent: false })
      },
      { limits: SMALL },
    )
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(world.clock.now() + 20)
    expect(outcome.error).toMatchObject({ code: 'NOT_SENT' })
    expect(world.gate.state()).toMatchObject({ ip: { used: 0 }, uid: { used: 0 }, inFlight: { used: 0 } })
  })

  it('that waits is turned away when its turn does not come in time', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: 40_000 })
    const start = world.clock.now()
    const outcomes = [1, 2, 3].map(() => outcomeOf(world.call(HEAVY, {})))
    await world.clock.advanceTo(start + 39_999)
    expect(outcomes[2]).toEqual({})
    await world.clock.advanceTo(start + 40_000)
    expect(outcomes[2]?.error).toMatchObject({
      code: 'RATE_LIMITED',
      reaction: 'retry',
      endpoint: 'heavy',
      until: start + 60_021,
      message:
        'The call heavy was not executed, because its turn did not come within 40000 ms; call again after 2020-05-04T11:31:56.971Z.',
    })
    await world.clock.advanceTo(start + 100_000)
    expect(world.arrivals).toHaveLength(2)
  })

  it('that left in time has no deadline any more', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: 100_000 })
    const start = world.clock.now()
    const outcomes = [1, 2, 3, 4].map(() => outcomeOf(world.call(HEAVY, {})))
    await world.clock.advanceTo(start + 90_000)
    const last = outcomeOf(world.call(HEAVY, {}))
    // The third left after a minute; at 100 s its deadline would have struck.
    await world.clock.advanceTo(start + 180_000)
    expect([...outcomes, last].map(({ value }) => value)).toEqual([{}, {}, {}, {}, {}])
  })

  it('that waits can be taken back, and no other suffers', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: 100_000 })
    const controller = new AbortController()
    for (let count = 0; count < 2; count++) void world.call(HEAVY, {})
    const outcome = outcomeOf(world.call(HEAVY, {}, { signal: controller.signal }))
    const next = outcomeOf(world.call(HEAVY, {}))
    await world.clock.advanceTo(world.clock.now() + 1000)
    expect(world.gate.state().waiting.market).toBe(2)
    controller.abort(new Error('enough'))
    await world.clock.advanceTo(world.clock.now() + 100_000)
    expect(outcome.error).toEqual(new Error('enough'))
    expect(next.value).toEqual({})
    expect(await rejectionOf(world.call(MARKET, {}, { signal: controller.signal }))).toEqual(
      new Error('enough'),
    )
    expect(world.arrivals).toHaveLength(3)
  })

  it('whose turn has come can be taken back up to the moment at which it leaves', async () => {
    const world = callWorld(OK)
    const write = { effect: 'write', rateLimit: { calls: 2, perMs: 1000 } } as const
    const limited = endpointRow({ key: 'limited', ...write })
    for (let count = 0; count < 2; count++) void world.call(limited, {})
    const controller = new AbortController()
    const onDeparture = () => void controller.abort(new Error('enough'))
    const first = outcomeOf(world.call(limited, {}, { onDeparture }))
    const second = outcomeOf(world.call(limited, {}, { signal: controller.signal }))
    await world.clock.advanceTo(world.clock.now() + 5000)
    expect(first.value).toEqual({})
    expect(second.error).toEqual(new Error('enough'))
    expect(world.arrivals).toHaveLength(3)
    expect(world.gate.state().endpoints.limited?.used).toBe(0)
  })

  it('is refused when too many wait already', async () => {
    const world = callWorld(OK, { limits: { ...SMALL, maxWaiting: 1 } })
    for (let count = 0; count < 3; count++) outcomeOf(world.call(HEAVY, {}))
    expect(await rejectionOf(world.call(HEAVY, {}))).toMatchObject({
      code: 'TOO_MANY_WAITING',
      reaction: 'retry',
      message: 'The call heavy was not sent, because 1 calls wait for their turn already; make fewer calls.',
    })
  })

  it('that waits is turned away when its client closes', async () => {
    const world = callWorld(OK, { limits: SMALL })
    const outcomes = [1, 2, 3].map(() => outcomeOf(world.call(HEAVY, {})))
    await world.clock.advanceTo(world.clock.now() + 50)
    await world.close()
    await world.clock.advanceTo(world.clock.now() + 1)
    expect(outcomes[2]?.error).toMatchObject({ code: 'CLIENT_CLOSED' })
  })

  it.each([{ ipWeightPerMinute: 100 }, { uidWeightPerMinute: Number.NaN }, { maxInFlight: 1 }])(
    'could wait for ever with limits of %j, so they are refused',
    limits => {
      expect(() => callWorld(OK, { limits })).toThrow('but it must be a number of at least')
    },
  )
})

describe('lanes', () => {
  it('of the table put cancels first and order queries next', () => {
    const rows: readonly Endpoint[] = Object.values(ENDPOINTS)
    const namesIn = (lane: Lane) =>
      rows.filter(row => laneOf(row) === lane).map(row => `${row.method} ${row.path}`)
    expect(namesIn('cancel')).toEqual([
      'POST /sapi/v2/cancel',
      'POST /sapi/v2/batchCancel',
      'POST /sapi/v2/margin/cancel',
      'POST /fapi/v1/cancel',
      'POST /fapi/v1/cancel_all',
    ])
    expect(namesIn('reconciliation')).toEqual([
      'GET /sapi/v2/order',
      'GET /sapi/v2/openOrders',
      'GET /sapi/v2/margin/order',
      'GET /sapi/v2/margin/openOrders',
      'GET /fapi/v1/order',
      'GET /fapi/v1/openOrders',
    ])
    expect(namesIn('order')).toContain('POST /fapi/v1/conditionOrder')
    expect(rows.every(row => (laneOf(row) === 'market') === (row.security === 'NONE'))).toBe(true)
  })

  it('let a cancel that came last leave first, then queries, orders, the account, and market data', async () => {
    const world = callWorld(OK, { limits: { maxInFlight: 2 }, maxWaitMs: 100_000 })
    void world.call(MARKET, {})
    await world.clock.advanceTo(world.clock.now() + 1)
    for (const endpoint of [MARKET, ACCOUNT, ORDER, QUERY, CANCEL]) void world.call(endpoint, {})
    await world.clock.advanceTo(world.clock.now() + 1000)
    expect(namesOf(world)).toEqual(['market', 'cancel', 'order', 'newOrder', 'account', 'market'])
  })

  it('are by endpoint where the call does not choose one', async () => {
    const world = callWorld(OK, { limits: { maxInFlight: 2 }, maxWaitMs: 100_000 })
    void world.call(MARKET, {})
    await world.clock.advanceTo(world.clock.now() + 1)
    void world.call(ORDER, {})
    void world.call(MARKET, {}, { lane: 'reconciliation' })
    await world.clock.advanceTo(world.clock.now() + 1000)
    expect(namesOf(world)).toEqual(['market', 'market', 'newOrder'])
  })

  it('keep weight and connections free for a cancel however much data is polled', async () => {
    const world = callWorld(OK, { maxWaitMs: Number.POSITIVE_INFINITY })
    const start = world.clock.now()
    const poll = endpointRow({ key: 'poll', weight: 80 })
    for (let count = 0; count < 500; count++) void world.call(poll, {})
    for (let second = 1; second <= 120; second++) {
      await world.clock.advanceTo(start + second * 1000)
      const outcome = outcomeOf(world.call(CANCEL, {}))
      await world.clock.advanceTo(start + second * 1000 + 20)
      expect(outcome.value).toEqual({})
    }
    // 10,800 of the 12,000 in the first minute; then a cancel a second takes its 60 from that.
    expect(world.arrivals.filter(({ name }) => name === 'GET /poll')).toHaveLength(135 + 134)
  })

  it('keep their order where the account is the limit, while public calls pass', async () => {
    const world = callWorld(OK, { limits: { uidWeightPerMinute: 200 }, maxWaitMs: Number.POSITIVE_INFINITY })
    const heavy = endpointRow({ key: 'big', weight: 100, security: 'USER_DATA' })
    for (let count = 0; count < 100; count++) void world.call(ACCOUNT, {})
    void world.call(heavy, {})
    for (let count = 0; count < 10; count++) void world.call(ACCOUNT, {})
    void world.call(MARKET, {})
    await world.clock.advanceTo(world.clock.now() + 50_000)
    expect(namesOf(world).toSorted()).toEqual([...Array(100).fill('account'), 'market'])
    await world.clock.advanceTo(world.clock.now() + 50_000)
    expect(namesOf(world).slice(101)).toEqual(['big', ...Array(10).fill('account')])
  })

  it('do not let light calls starve a heavy one of their lane', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: Number.POSITIVE_INFINITY })
    const heavy = endpointRow({ key: 'big', weight: 100 })
    const light = endpointRow({ key: 'light', weight: 1 })
    for (let count = 0; count < 100; count++) void world.call(light, {})
    void world.call(heavy, {})
    for (let count = 0; count < 300; count++) void world.call(light, {})
    await world.clock.advanceTo(world.clock.now() + 61_000)
    expect(namesOf(world).indexOf('big')).toBe(100)
  })

  it('do not let a light call that comes later overtake a heavy one that waits', async () => {
    const world = callWorld(OK, { limits: SMALL, maxWaitMs: Number.POSITIVE_INFINITY })
    void world.call(HEAVY, {})
    void world.call(endpointRow({ key: 'big', weight: 100 }), {})
    await world.clock.advanceTo(world.clock.now() + 1000)
    void world.call(endpointRow({ key: 'light', weight: 1 }), {})
    await world.clock.advanceTo(world.clock.now() + 61_000)
    expect(namesOf(world)).toEqual(['heavy', 'big', 'light'])
  })
})
