import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import { memoryBlockStore } from '../../../src/exchange/budget/block-store.ts'
import { MeasuredServerClock } from '../../../src/exchange/clock/server-clock.ts'
import { estimateOffset, type TimeSample } from '../../../src/exchange/clock/server-clock-estimate.ts'
import { ORDER } from '../budget/endpoint-rows.ts'
import {
  type Arrival,
  type CallWorld,
  type CallWorldOptions,
  callWorld,
  outcomeOf,
} from '../call/call-world.ts'
import { NOW, rejectionOf } from '../call/scripted-exchange.ts'

/** One round trip in which a server that is `offset` ms ahead is asked at `at`. */
const sample = (at: number, there: number, back: number, offset: number): TimeSample => ({
  sentAt: at,
  receivedAt: at + there + back,
  serverTime: at + there + offset,
})

describe('estimateOffset', () => {
  it('contains the truth for any ways there and back, on clocks that show whole ms', () => {
    const way = fc.double({ min: 0, max: 500, noNaN: true })
    const trip = fc.record({ at: fc.double({ min: 0, max: 1e6, noNaN: true }), there: way, back: way })
    const offsets = fc.double({ min: -1e7, max: 1e7, noNaN: true })
    const property = fc.property(fc.array(trip, { minLength: 1, maxLength: 8 }), offsets, (trips, offset) => {
      const samples = trips.map(({ at, there, back }) => ({
        sentAt: Math.floor(at),
        receivedAt: Math.floor(at + there + back),
        serverTime: Math.floor(at + there + offset),
      }))
      const { offsetMs, uncertaintyMs } = estimateOffset(samples)
      expect(Math.abs(offsetMs - offset)).toBeLessThanOrEqual(uncertaintyMs + 1e-6)
      const shortest = Math.min(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
      expect(uncertaintyMs).toBeLessThanOrEqual(shortest / 2 + 1)
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('is half-way through one round trip', () => {
    expect(estimateOffset([sample(1000, 30, 30, 500)])).toEqual({ offsetMs: 500, uncertaintyMs: 31 })
  })

  it('is narrower than any one sample where their delays lie on opposite sides', () => {
    const samples = [sample(1000, 0, 100, 500), sample(2000, 100, 0, 500)]
    expect(estimateOffset(samples)).toEqual({ offsetMs: 500, uncertaintyMs: 1 })
  })

  it('leaves out a sample that contradicts the others', () => {
    const samples = [sample(0, 5, 5, 500), sample(100, 5, 5, 9000), sample(200, 5, 5, 500)]
    expect(estimateOffset(samples)).toEqual({ offsetMs: 500, uncertaintyMs: 6 })
  })

  it('is as uncertain as servers that contradict each other', () => {
    const samples = [sample(0, 5, 5, 0), sample(100, 5, 5, 800)]
    expect(estimateOffset(samples)).toEqual({ offsetMs: 400, uncertaintyMs: 406 })
  })

  it('needs a sample', () => {
    expect(() => estimateOffset([])).toThrow(RangeError)
  })
})

/** A measured clock whose server is ahead by `server.offset`, 10 ms away each way. */
function measured() {
  const clock = new VirtualClock(NOW)
  const server = { offset: 5000, asked: 0, fails: false }
  const serverClock = new MeasuredServerClock({
    clock,
    sample: async () => {
      server.asked++
      const sentAt = clock.now()
      await new Promise<void>(resolve => clock.schedule(10, resolve))
      const serverTime = clock.now() + server.offset
      await new Promise<void>(resolve => clock.schedule(10, resolve))
      if (server.fails) throw new Error('nobody answers')
      return { sentAt, receivedAt: clock.now(), serverTime }
    },
  })
  return { clock, server, serverClock }
}

describe('MeasuredServerClock', () => {
  it('knows nothing before its first measurement, and says so', () => {
    const { serverClock } = measured()
    expect(serverClock.state()).toEqual({
      offsetMs: 0,
      uncertaintyMs: Number.POSITIVE_INFINITY,
      roundTripMs: 0,
      ageMs: undefined,
    })
  })

  it('measures five round trips, once for all who wait', async () => {
    const { clock, server, serverClock } = measured()
    const outcomes = [
      outcomeOf(Promise.resolve(serverClock.prepare())),
      outcomeOf(Promise.resolve(serverClock.prepare())),
    ]
    await clock.advanceTo(NOW + 100)
    expect(outcomes).toEqual([{ value: undefined }, { value: undefined }])
    expect(server.asked).toBe(5)
    expect(serverClock.state()).toEqual({ offsetMs: 5000, uncertaintyMs: 11, roundTripMs: 20, ageMs: 0 })
    expect(serverClock.now()).toBe(NOW + 100 + 5000)
  })

  it('grows uncertain by 100 millionths of the time that passes', async () => {
    const { clock, serverClock } = measured()
    void serverClock.prepare()
    await clock.advanceTo(NOW + 100 + 3_600_000)
    expect(serverClock.state()).toMatchObject({ uncertaintyMs: 11 + 360, ageMs: 3_600_000 })
  })

  it('is renewed after a minute of use, without anybody waiting', async () => {
    const { clock, server, serverClock } = measured()
    void serverClock.prepare()
    await clock.advanceTo(NOW + 100)
    server.offset = 6000
    await clock.advanceTo(NOW + 100 + 59_999)
    await serverClock.prepare()
    expect(server.asked).toBe(5)
    await clock.advanceTo(NOW + 100 + 60_000)
    await serverClock.prepare()
    expect(serverClock.state().offsetMs).toBe(5000)
    await clock.advanceTo(NOW + 100 + 60_100)
    expect(serverClock.state()).toMatchObject({ offsetMs: 6000, ageMs: 0 })
  })

  it('lives on with an old measurement when a new one fails, and tries again 5 s later', async () => {
    const { clock, server, serverClock } = measured()
    void serverClock.prepare()
    await clock.advanceTo(NOW + 60_100)
    server.fails = true
    await serverClock.prepare()
    await clock.advanceTo(NOW + 60_200)
    await serverClock.prepare()
    expect(server.asked).toBe(6)
    server.fails = false
    await clock.advanceTo(NOW + 65_100)
    await serverClock.prepare()
    await clock.advanceTo(NOW + 65_200)
    expect(serverClock.state().ageMs).toBe(0)
  })

  it('makes do with fewer samples when some fail, but not with none', async () => {
    const { clock, server, serverClock } = measured()
    const measuring = outcomeOf(Promise.resolve(serverClock.prepare()))
    await clock.advanceTo(NOW + 30)
    server.fails = true
    await clock.advanceTo(NOW + 100)
    expect(measuring).toEqual({ value: undefined })
    const failing = outcomeOf(serverClock.synchronise())
    await clock.advanceTo(NOW + 200)
    expect(failing.error).toEqual(new Error('nobody answers'))
  })

  it('does not measure again what was measured since', async () => {
    const { clock, server, serverClock } = measured()
    void serverClock.prepare()
    await clock.advanceTo(NOW + 100)
    expect(await serverClock.synchronise(NOW + 99)).toBe(true)
    expect(server.asked).toBe(5)
    void serverClock.synchronise(NOW + 100)
    await clock.advanceTo(NOW + 200)
    expect(server.asked).toBe(10)
  })
})

const TIME_NAME = 'GET /sapi/v2/time'

/** A client that has to measure; its exchange's clock is off by `offset.ms` and refuses by the rule of section 5.6. */
function strictWorld(options: CallWorldOptions = {}): { world: CallWorld; offset: { ms: number } } {
  const offset = { ms: 90_000 }
  const serve = ({ name, request, at }: Arrival): string => {
    const serverTime = at + offset.ms
    if (name === TIME_NAME) return `{"serverTime":${serverTime},"timezone":"UTC"}`
    const timestamp = Number(request.headers['X-CH-TS'])
    const isTaken = timestamp < serverTime + 1000 && serverTime - timestamp <= 1000
    return isTaken ? '{}' : '{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow."}'
  }
  return { world: measuringWorld(serve, options), offset }
}

function measuringWorld(serve: (arrival: Arrival) => string, options: CallWorldOptions = {}): CallWorld {
  return callWorld(serve, { ...options, measuresTime: true })
}

const namesOf = ({ arrivals }: CallWorld): readonly string[] => arrivals.map(({ name }) => name)

describe('a signed call', () => {
  it('is stamped with the time of the exchange, which is measured before the first', async () => {
    const { world } = strictWorld()
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 200)
    expect(outcome.value).toEqual({})
    expect(namesOf(world)).toEqual([...Array(5).fill(TIME_NAME), 'POST /newOrder'])
    expect(world.arrivals[5]?.request.headers['X-CH-TS']).toBe(String(NOW + 100 + 90_000))
  })

  it('that reads is sent once more after the clock stepped', async () => {
    const { world, offset } = strictWorld()
    await start(world)
    offset.ms = -5000
    const outcome = outcomeOf(world.call({ ...ORDER, effect: 'read' }, {}))
    await world.clock.advanceTo(NOW + 400)
    expect(outcome.value).toEqual({})
    expect(namesOf(world).slice(5)).toEqual(['POST /newOrder', ...Array(5).fill(TIME_NAME), 'POST /newOrder'])
  })

  it('that reads is refused in the end when its timestamp never pleases', async () => {
    const read = { ...ORDER, effect: 'read' } as const
    const refusing = measuringWorld(({ name, at }) =>
      name === TIME_NAME ? `{"serverTime":${at}}` : '{"code":"-1021","msg":"no"}',
    )
    const outcome = outcomeOf(refusing.call(read, {}))
    await refusing.clock.advanceTo(NOW + 1000)
    expect(outcome.error).toMatchObject({ code: 'EXCHANGE_REFUSED', exchangeCode: -1021, reaction: 'retry' })
    expect(namesOf(refusing).filter(name => name !== TIME_NAME)).toHaveLength(2)
  })

  it('that writes is refused and not repeated, but the next one has the right time', async () => {
    const { world, offset } = strictWorld()
    await start(world)
    offset.ms = 0
    const refused = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 400)
    expect(refused.error).toMatchObject({ code: 'EXCHANGE_REFUSED', exchangeCode: -1021, reaction: 'retry' })
    expect(namesOf(world).filter(name => name === 'POST /newOrder')).toHaveLength(1)
    const next = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 500)
    expect(next.value).toEqual({})
    expect(namesOf(world).filter(name => name === TIME_NAME)).toHaveLength(10)
  })

  it.each([
    ['the estimate may be ahead by a second', 1000, 1000, 5000],
    ['a request may be too old when it arrives', 400, 400, 700],
  ])('that writes is kept back when %s', async (_name, there, back, recvWindowMs) => {
    const { world } = strictWorld({ latency: () => ({ there, back }), recvWindowMs })
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 60_000)
    const uncertaintyMs = (there + back) / 2 + 1
    expect(outcome.error).toMatchObject({
      code: 'CLOCK_UNCERTAIN',
      reaction: 'retry',
      endpoint: 'newOrder',
      uncertaintyMs,
    })
    expect(String(outcome.error)).toContain(`too little for a recvWindow of ${recvWindowMs} ms`)
    expect(namesOf(world)).not.toContain('POST /newOrder')
    expect(world.gate.state().inFlight.used).toBe(0)
  })

  it('that writes is kept back when the clock cannot be measured at all, and says why', async () => {
    const world = measuringWorld(() => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { sent: false })
    })
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 1000)
    expect(outcome.error).toMatchObject({ code: 'CLOCK_UNCERTAIN', cause: { code: 'NOT_SENT' } })
  })

  it('that a ban stops says so, before anything is measured', async () => {
    const until = NOW + 60_000
    const world = measuringWorld(() => '{}', {
      blockStore: memoryBlockStore({ ban: { since: NOW, until, strikes: 1 } }),
    })
    expect(await rejectionOf(world.call(ORDER, {}))).toMatchObject({
      code: 'RATE_LIMITED',
      endpoint: 'newOrder',
      until,
    })
    expect(world.arrivals).toEqual([])
  })

  it('that writes is sent again with a fresh measurement after hours of silence', async () => {
    const { world } = strictWorld()
    await start(world)
    await world.clock.advanceTo(NOW + 3 * 3_600_000)
    expect(world.serverClock.state().uncertaintyMs).toBeGreaterThan(1000)
    const outcome = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(world.clock.now() + 300)
    expect(outcome.value).toEqual({})
    expect(world.serverClock.state().uncertaintyMs).toBeLessThan(12)
  })
})

/** Lets a client measure. */
async function start(world: CallWorld): Promise<void> {
  void world.serverClock.prepare()
  await world.clock.advanceTo(NOW + 100)
}
