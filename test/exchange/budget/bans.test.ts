import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ban, memoryBlockStore } from '../../../src/exchange/budget/block-store.ts'
import { fileBlockStore } from '../../../src/exchange/budget/file-block-store.ts'
import { nextBan } from '../../../src/exchange/budget/next-ban.ts'
import type { HttpResponse } from '../../../src/exchange/http/transport.ts'
import { callWorld, outcomeOf } from '../call/call-world.ts'
import { NOW } from '../call/scripted-exchange.ts'
import { ACCOUNT, CANCEL, endpointRow, MARKET, ORDER } from './endpoint-rows.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** Answers in order, the last one for ever. */
function answers(...list: readonly (HttpResponse | string)[]): () => HttpResponse | string {
  let next = 0
  return () => list[Math.min(next++, list.length - 1)] ?? '{}'
}

const refusal = (status: number, body = '{}', retryAfter?: string): HttpResponse => ({
  status,
  body,
  ...(retryAfter !== undefined && { retryAfter }),
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ban-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('nextBan', () => {
  it('lasts 2 minutes at first, and doubles with every ban in a row up to 3 days', () => {
    let ban: Ban | undefined
    const minutes = Array.from({ length: 13 }, () => {
      const now = ban?.until ?? 0
      ban = nextBan(ban, now, undefined)
      return (ban.until - now) / MINUTE
    })
    expect(minutes).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 4320])
  })

  it('starts over after 3 good days', () => {
    const ban = nextBan(undefined, 0, undefined)
    expect(nextBan(ban, ban.until + 3 * DAY, undefined).strikes).toBe(2)
    expect(nextBan(ban, ban.until + 3 * DAY + 1, undefined).strikes).toBe(1)
  })

  it('lasts as long as the exchange says', () => {
    expect(nextBan(undefined, 0, 77)).toEqual({ since: 0, until: 77, strikes: 1 })
  })
})

describe('fileBlockStore', () => {
  it('remembers blocks, each kind for itself, makes its folder, and leaves nothing else behind', () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const store = fileBlockStore(join(folder, 'ban.json'))
    expect(store.load()).toEqual({})
    expect(existsSync(folder)).toBe(false)
    store.save({ ban: { since: 1, until: 2, strikes: 3 } })
    fileBlockStore(join(folder, 'ban.json')).save({ weight: { since: 4, until: 7 } })
    store.save({ ban: { since: 4, until: 5, strikes: 6 } })
    expect(fileBlockStore(join(folder, 'ban.json')).load()).toEqual({
      ban: { since: 4, until: 5, strikes: 6 },
      weight: { since: 4, until: 7 },
    })
    expect(readdirSync(folder)).toEqual(['ban.json'])
  })

  it('reads the file of a version that remembered bans only', () => {
    const path = join(temporaryFolder(), 'ban.json')
    writeFileSync(path, '{"since":1,"until":2,"strikes":3}')
    fileBlockStore(path).save({ weight: { since: 4, until: 7 } })
    expect(fileBlockStore(path).load()).toEqual({
      ban: { since: 1, until: 2, strikes: 3 },
      weight: { since: 4, until: 7 },
    })
  })

  it.each(['', '{"since":1', '{"since":1,"until":"soon","strikes":1}', '{"weight":{"since":1}}', '[]'])(
    'refuses to guess what %j means',
    text => {
      const path = join(temporaryFolder(), 'ban.json')
      writeFileSync(path, text)
      expect(() => fileBlockStore(path).load()).toThrow(`${path} should remember until when`)
    },
  )
})

describe('HTTP 418', () => {
  it('stops every call at once, until the ban ends', async () => {
    const world = callWorld(answers(refusal(418), '{}'))
    const first = outcomeOf(world.call(ORDER, {}))
    await world.clock.advanceTo(NOW + 20)
    const until = NOW + 20 + 2 * MINUTE
    expect(first.error).toMatchObject({ code: 'RATE_LIMITED', endpoint: 'newOrder', until })
    expect(first.error).toMatchObject({ cause: { code: 'EXCHANGE_REFUSED', httpStatus: 418 } })
    expect(world.gate.state()).toMatchObject({
      ban: { since: NOW + 20, until, strikes: 1 },
      pause: { until },
    })
    const kept = [MARKET, ACCOUNT, ORDER, CANCEL].map(endpoint => outcomeOf(world.call(endpoint, {})))
    await world.clock.advanceTo(until - 1)
    for (const { error } of kept) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', reaction: 'retry', until })
      expect(String(error)).toContain('the exchange has blocked this address (HTTP 418); call again after ')
    }
    await world.clock.advanceTo(until)
    const after = outcomeOf(world.call(CANCEL, {}))
    await world.clock.advanceTo(until + 20)
    expect(after.value).toEqual({})
    expect(world.arrivals).toHaveLength(2)
  })

  it('counts once, however many calls were under way', async () => {
    const world = callWorld(() => refusal(418))
    for (let count = 0; count < 10; count++) outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 20)
    expect(world.arrivals).toHaveLength(10)
    expect(world.gate.state().ban).toEqual({ since: NOW + 20, until: NOW + 20 + 2 * MINUTE, strikes: 1 })
  })

  it('after 418 lasts longer', async () => {
    const world = callWorld(() => refusal(418))
    outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 20 + 2 * MINUTE)
    outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(world.clock.now() + 20)
    expect(world.gate.state().ban?.until).toBe(world.clock.now() + 4 * MINUTE)
  })

  it('holds over a restart, whose first ban then is the second', async () => {
    const path = join(temporaryFolder(), 'ban.json')
    const before = callWorld(() => refusal(418), { blockStore: fileBlockStore(path) })
    outcomeOf(before.call(MARKET, {}))
    await before.clock.advanceTo(NOW + 20)
    const until = NOW + 20 + 2 * MINUTE
    const after = callWorld(() => refusal(418), { blockStore: fileBlockStore(path) })
    const kept = outcomeOf(after.call(MARKET, {}))
    await after.clock.advanceTo(until)
    expect(kept.error).toMatchObject({ code: 'RATE_LIMITED', until })
    expect(after.arrivals).toEqual([])
    outcomeOf(after.call(MARKET, {}))
    await after.clock.advanceTo(until + 20)
    expect(fileBlockStore(path).load()).toEqual({
      ban: { since: until + 20, until: until + 20 + 4 * MINUTE, strikes: 2 },
    })
  })

  it('of a clock that was two hours ahead lasts from the restart on, and no longer than it was to', async () => {
    const since = NOW + 120 * MINUTE
    const blockStore = memoryBlockStore({ ban: { since, until: since + 2 * MINUTE, strikes: 1 } })
    const world = callWorld(() => ({ status: 200, body: '{}' }), { blockStore })
    const kept = outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 2 * MINUTE - 1)
    expect(kept.error).toMatchObject({ code: 'RATE_LIMITED', until: NOW + 2 * MINUTE })
    expect(world.arrivals).toEqual([])
    await world.clock.advanceTo(NOW + 2 * MINUTE)
    outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 2 * MINUTE + 20)
    expect(world.arrivals).toHaveLength(1)
  })

  it('that cannot be remembered says so, and holds all the same', async () => {
    const blockStore = {
      load: () => ({}),
      save: () => {
        throw new Error('the disk is full')
      },
    }
    const world = callWorld(() => refusal(418), { blockStore })
    const { error } = await settled(world.call(ORDER, {}), world.clock)
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      cause: { errors: [{ httpStatus: 418 }, { message: 'the disk is full' }] },
    })
    expect(world.gate.state().pause).toBeDefined()
  })

  it.each([
    ['Retry-After in seconds', refusal(418, '{}', '300'), NOW + 20 + 5 * MINUTE],
    [
      'Retry-After as a date',
      refusal(418, '{}', new Date(NOW + 10 * MINUTE).toUTCString()),
      NOW - 950 + 10 * MINUTE,
    ],
    [
      'a moment in its message',
      refusal(418, `{"code":-1003,"msg":"banned until ${NOW + 9000}"}`),
      NOW + 9000,
    ],
    [
      'no credible moment',
      refusal(418, '{"code":-1003,"msg":"ip 1234567890123"}', 'soon'),
      NOW + 20 + 2 * MINUTE,
    ],
    ['more than 3 days', refusal(418, '{}', '999999'), NOW + 20 + 2 * MINUTE],
  ])('with %s ends when it says', async (_name, answer, until) => {
    const world = callWorld(() => answer, { blockStore: memoryBlockStore() })
    await settled(world.call(ORDER, {}), world.clock)
    expect(world.gate.state().ban?.until).toBe(until)
  })

  it('names its end by the clock of the exchange', async () => {
    const body = `{"code":-1003,"msg":"banned until ${NOW + DAY + 9000}"}`
    const world = callWorld(() => refusal(418, body), { timeOffset: () => DAY })
    await settled(world.call(ORDER, {}), world.clock)
    expect(world.gate.state().ban?.until).toBe(NOW + 9000)
  })
})

describe('HTTP 429', () => {
  it.each([
    ['the status', refusal(429)],
    ['-1003 under HTTP 200', '{"code":-1003,"msg":"Too many requests"}'],
  ])('by %s stops everything until the minute has turned', async (_name, answer) => {
    const world = callWorld(answers(answer, '{}'))
    const { error } = await settled(world.call(ORDER, {}), world.clock)
    const until = NOW + 20 + MINUTE + 1
    expect(error).toMatchObject({ code: 'RATE_LIMITED', until })
    for (const endpoint of [CANCEL, MARKET]) {
      expect((await settled(world.call(endpoint, {}), world.clock)).error).toMatchObject({ until })
    }
    await world.clock.advanceTo(until)
    expect((await settled(world.call(CANCEL, {}), world.clock)).value).toEqual({})
    expect(world.arrivals).toHaveLength(2)
  })

  it('holds over a restart, and is remembered once, however many calls were under way', async () => {
    const path = join(temporaryFolder(), 'ban.json')
    const before = callWorld(() => refusal(429, '', '30'), { blockStore: fileBlockStore(path) })
    for (let count = 0; count < 3; count++) outcomeOf(before.call(MARKET, {}))
    await before.clock.advanceTo(NOW + 20)
    const until = NOW + 20 + 30 * SECOND
    expect(fileBlockStore(path).load()).toEqual({ weight: { since: NOW + 20, until } })
    // The next process begins anew: its clock starts at NOW.
    const after = callWorld(() => '{}', { blockStore: fileBlockStore(path) })
    expect((await settled(after.call(ORDER, {}), after.clock)).error).toMatchObject({
      code: 'RATE_LIMITED',
      until,
    })
    await after.clock.advanceTo(until - 1)
    expect(after.arrivals).toEqual([])
    await after.clock.advanceTo(until)
    expect((await settled(after.call(ORDER, {}), after.clock)).value).toEqual({})
  })

  it('turns away the writes that wait already, and lets reads wait where it is short', async () => {
    const world = callWorld(answers(refusal(429, '', '5'), '{}'), { limits: { maxInFlight: 2 } })
    const first = outcomeOf(world.call(MARKET, {}))
    await world.clock.advanceTo(NOW + 1)
    const order = outcomeOf(world.call(ORDER, {}))
    const read = outcomeOf(world.call(MARKET, {}))
    const until = NOW + 20 + 5 * SECOND
    await world.clock.advanceTo(until - 1)
    expect(order.error).toMatchObject({ code: 'RATE_LIMITED', until })
    expect(world.arrivals).toHaveLength(1)
    await world.clock.advanceTo(until + 100)
    expect([first.value, read.value]).toEqual([{}, {}])
    expect(world.arrivals).toHaveLength(3)
  })
})

describe('HTTP 410', () => {
  const limited = endpointRow({ key: 'limited', rateLimit: { calls: 20, perMs: 2000 } })

  it('pauses that endpoint for its window, and no other', async () => {
    const world = callWorld(({ name }) => (name === 'GET /limited' ? refusal(410) : '{}'), { maxWaitMs: 0 })
    const { error } = await settled(world.call(limited, {}), world.clock)
    const until = NOW + 20 + 2001
    expect(error).toMatchObject({ code: 'RATE_LIMITED', endpoint: 'limited', until })
    expect(String(error)).toContain('the rate limit of the endpoint is used up (HTTP 410)')
    expect((await settled(world.call(limited, {}), world.clock)).error).toMatchObject({ until })
    expect((await settled(world.call(MARKET, {}), world.clock)).value).toEqual({})
    expect(world.gate.state().pause).toBeUndefined()
  })

  it('counts once, however many calls were under way', async () => {
    const world = callWorld(() => refusal(410), { maxWaitMs: 0 })
    const outcomes = [1, 2, 3].map(() => outcomeOf(world.call(limited, {})))
    await world.clock.advanceTo(NOW + 20)
    for (const { error } of outcomes) expect(error).toMatchObject({ until: NOW + 20 + 2001 })
  })

  it('pauses longer while it goes on, up to a minute, and shorter again after an answer', async () => {
    const codes = [410, 410, 410, 410, 410, 410, 410, 200, 410]
    const world = callWorld(() => refusal(codes.shift() ?? 200), { maxWaitMs: 0 })
    const pauses: number[] = []
    for (let count = 0; count < 9; count++) {
      const { error } = await settled(world.call(limited, {}), world.clock)
      const until = error instanceof Error && 'until' in error ? Number(error.until) : world.clock.now()
      pauses.push(until - world.clock.now())
      await world.clock.advanceTo(until)
    }
    expect(pauses).toEqual([2001, 4001, 8001, 16_001, 32_001, 60_001, 60_001, 0, 2001])
  })
})

async function settled(
  promise: Promise<unknown>,
  clock: { now(): number; advanceTo(time: number): Promise<void> },
): Promise<{ value?: unknown; error?: unknown }> {
  const outcome = outcomeOf(promise)
  await clock.advanceTo(clock.now() + 20)
  return outcome
}
