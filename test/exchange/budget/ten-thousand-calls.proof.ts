import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { LANES, type Lane, laneOf } from '../../../src/exchange/budget/lane.ts'
import { type Endpoint, type RequestFields, weightOf } from '../../../src/exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../src/exchange/endpoints.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import { type CallWorld, callWorld } from '../call/call-world.ts'
import { NOW } from '../call/scripted-exchange.ts'
import { LimitGuard } from './limit-guard.ts'

const CALLS = 10_000
const MINUTE = 60_000
/** ms. */
const LONGEST_WAY_THERE = 150
const LONGEST_WAY_BACK = 50

/** The rows of the table with their methods, weights and limits; only parameters and answers are left open. */
const ROWS: readonly Endpoint[] = Object.values(ENDPOINTS).map(row => ({
  ...row,
  request: z.looseObject({}),
  response: z.unknown(),
}))
const CANCEL = pick(
  ROWS.filter(({ key }) => key === 'spotCancel'),
  () => 0,
)
const ROW_BY_NAME = new Map(ROWS.map(row => [`${row.method} ${row.path}`, row]))

/** An exchange that counts what arrives by its own books. */
function guardedWorld(random: () => number): {
  readonly world: CallWorld
  readonly guards: Map<string, LimitGuard>
} {
  const guards = new Map([
    ['ip', new LimitGuard('weight by address', 12_000, MINUTE)],
    ['uid', new LimitGuard('weight by account', 60_000, MINUTE)],
    ...ROWS.flatMap(({ key, rateLimit }) =>
      rateLimit === undefined ? [] : [[key, new LimitGuard(key, rateLimit.calls, rateLimit.perMs)] as const],
    ),
  ])
  const world = callWorld(
    ({ request, name, at }) => {
      const row = ROW_BY_NAME.get(name)
      if (row === undefined) throw new Error(`Nobody serves ${name}.`)
      const weight = weightAt(name, request)
      guards.get('ip')?.count(at, weight)
      if ('X-CH-SIGN' in request.headers) guards.get('uid')?.count(at, weight)
      guards.get(row.key)?.count(at, 1)
      return '{}'
    },
    {
      latency: () => ({
        there: Math.floor(random() * LONGEST_WAY_THERE),
        back: Math.floor(random() * LONGEST_WAY_BACK),
      }),
      limits: { maxWaiting: CALLS + 1 },
      maxWaitMs: Number.POSITIVE_INFINITY,
    },
  )
  return { world, guards }
}

/** The weight of a request, by what arrives. */
function weightAt(name: string, request: HttpRequest): number {
  const row = ROW_BY_NAME.get(name)
  return row === undefined ? 0 : weightOf(row, fieldsOf(request))
}

function fieldsOf({ url, body }: HttpRequest): RequestFields {
  return body === '' ? Object.fromEntries(new URL(url).searchParams) : JSON.parse(body)
}

/** A call of a random row, with a symbol or without, now and then in a lane of its caller's choice. */
function randomCall(random: () => number): { row: Endpoint; fields: RequestFields; lane: Lane } {
  const row = pick(ROWS, random)
  return {
    row,
    fields: random() < 0.8 ? { symbol: 'BTC/USDT' } : {},
    lane: random() < 0.9 ? laneOf(row) : pick(LANES, random),
  }
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('Nothing to pick from.')
  return item
}

/** The part of the address's weight limit that was used in the minutes that were full from end to end. */
function usedPart({ arrivals }: CallWorld): number {
  const minutes = Math.floor(((arrivals.at(-1)?.at ?? NOW) - NOW) / MINUTE)
  const within = arrivals.filter(({ at }) => at < NOW + minutes * MINUTE)
  return within.reduce((sum, { request, name }) => sum + weightAt(name, request), 0) / (minutes * 12_000)
}

describe('10,000 mixed calls', () => {
  it.each([
    // Market data leave a tenth of the limit to more urgent calls.
    ['in lanes of all kinds', undefined, 0.9],
    ['in the most urgent lane', 'cancel', 0.99],
  ] as const)(
    '%s never exceed a limit, lose none, and leave no room unused',
    async (_name, oneLane, least) => {
      const random = seededRandom(7).uniform
      const { world, guards } = guardedWorld(random)
      let answered = 0
      const enter = (count: number): void => {
        for (let entered = 0; entered < count; entered++) {
          const { row, fields, lane } = randomCall(random)
          void world.call(row, fields, { lane: oneLane ?? lane }).then(() => answered++)
        }
      }
      enter(CALLS / 2)
      for (let second = 1; second <= 100; second++) {
        await world.clock.advanceTo(NOW + second * 1000)
        enter(CALLS / 200)
      }
      await world.clock.advanceTo(NOW + 20 * MINUTE)
      expect(answered).toBe(CALLS)
      expect(world.arrivals).toHaveLength(CALLS)
      expect(world.gate.state()).toMatchObject({ ip: { used: 0 }, uid: { used: 0 }, inFlight: { used: 0 } })
      expect(guards.get('ip')?.peak).toBeGreaterThan(11_900)
      expect(usedPart(world)).toBeGreaterThan(least)
    },
  )

  it('are all overtaken by a cancel that comes last', async () => {
    const random = seededRandom(11).uniform
    const { world } = guardedWorld(random)
    for (let count = 0; count < CALLS; count++) {
      const { row, fields, lane } = randomCall(random)
      void world.call(row, fields, { lane: lane === 'cancel' ? 'market' : lane })
    }
    for (const waitMs of [1, 500, 5000, 45_000, 90_000, 200_000]) {
      await world.clock.advanceTo(NOW + waitMs)
      expect(world.gate.state().waiting.market).toBeGreaterThan(1000)
      let isDone = false
      void world.call(CANCEL, { symbol: 'BTC/USDT' }).then(() => {
        isDone = true
      })
      // The longest way there and back, and not one ms of waiting.
      await world.clock.advanceTo(NOW + waitMs + LONGEST_WAY_THERE + LONGEST_WAY_BACK)
      expect(isDone).toBe(true)
    }
  })
})
