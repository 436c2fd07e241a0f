import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import { enterLong, enterShort, exit, type Signal, targetPosition } from '../../../src/strategy/index.ts'
import { EngineSession, scripted } from '../engine-session.ts'

const anySignal: fc.Arbitrary<Signal> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0.25, 0.5, 1, 1).map(fraction => exit({ fraction })) },
  fc.integer({ min: -3, max: 3 }).map(base => targetPosition({ base })),
  fc.constantFrom(enterLong, enterShort).map(enter => enter({ size: { base: 2 } })),
)

/** A kline, a retry that is due, or the fate of the `order`-th working order: how much of it trades before it ends. */
type Happening =
  | { readonly type: 'kline' }
  | { readonly type: 'retry' }
  | {
      readonly type: 'end'
      readonly order: number
      readonly part: number
      readonly as: 'rejected' | 'expired'
    }

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant({ type: 'kline' } as const),
  fc.constant({ type: 'retry' } as const),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('end' as const),
      order: fc.nat(5),
      part: fc.constantFrom(0, 0, 0.3, 0.6, 1),
      as: fc.constantFrom('rejected', 'expired'),
    }),
  },
)

/** Working orders by the number of their placement. An entry behind an unfinished exit has not left, as `ReversalGate` holds it. */
function atExchange(session: EngineSession): readonly number[] {
  return session.placed.flatMap((request, index) => {
    const order = session.ledger.orders.get(request.clientOrderId)
    const isHeld = !request.reduceOnly && session.engine.isHeldByExit(request)
    return order !== undefined && isWorking(order.status) && !isHeld ? [index + 1] : []
  })
}

/** Confirms the cancels among outputs, and among those that follow. */
function confirm(session: EngineSession, from: number): void {
  for (let index = from; index < session.outputs.length; index++) {
    const output = session.outputs[index]
    if (output?.type !== 'cancelOrder') continue
    const number = session.placed.findIndex(({ clientOrderId }) => clientOrderId === output.clientOrderId) + 1
    const order = session.ledger.orders.get(output.clientOrderId)
    if (order !== undefined && isWorking(order.status)) session.update(number, 'canceled')
  }
}

function happen(session: EngineSession, happening: Happening): void {
  if (happening.type === 'kline') session.kline(100)
  else if (happening.type === 'retry') session.retry()
  else {
    const working = atExchange(session)
    const number = working[happening.order % Math.max(1, working.length)]
    if (number !== undefined) end(session, number, happening.part, happening.as)
  }
}

function end(session: EngineSession, number: number, part: number, as: 'rejected' | 'expired'): void {
  const quantity = Math.floor(session.openQuantity(number) * part * 1000) / 1000
  const { held } = session
  if (quantity > 0) session.fill(number, 100, quantity)
  // An exit never takes the position through zero.
  if (session.order(number).reduceOnly) expect(held * session.held).toBeGreaterThanOrEqual(0)
  const order = session.ledger.orders.get(session.order(number).clientOrderId)
  if (order !== undefined && isWorking(order.status)) session.update(number, quantity > 0 ? 'expired' : as)
}

/** Steps that market exits of the position may still close. */
function leaving(session: EngineSession): number {
  const side = session.held > 0 ? 'sell' : 'buy'
  return session.ledger.orders.working
    .filter(({ request }) => request.reduceOnly && request.side === side)
    .reduce((sum, { request, filledQuantity }) => sum + request.quantity - filledQuantity, 0)
}

describe('whatever the exchange takes of exits at market', () => {
  it('never more than the position is closed, and a position that the strategy leaves is flat once all is taken', () => {
    let unfinished = 0
    fc.assert(
      fc.property(
        fc.array(anySignal, { maxLength: 12 }),
        fc.array(anyHappening, { maxLength: 60 }),
        (script, course) => {
          const signals = [enterLong({ size: { base: 5 } }), ...script]
          // The last word of the strategy, on whatever kline the course ends.
          const later = Array.from({ length: 61 }, (_, row) => signals.length + row)
          const session = new EngineSession(
            scripted({ ...signals, ...Object.fromEntries(later.map(row => [row, exit()])) }),
          )
          session.kline(100)
          session.fill(1, 100)
          const step = (happening: Happening) => {
            const { length } = session.outputs
            happen(session, happening)
            confirm(session, length)
            expect(leaving(session)).toBeLessThanOrEqual(Math.abs(Math.round(session.held * 1000)))
            unfinished += session.engine.unfinishedExits.length
          }
          for (const happening of course) step(happening)
          while (session.time / 60_000 < signals.length) step({ type: 'kline' })
          const settle = () => {
            for (let round = 0; round < 40; round++) {
              if (atExchange(session).length === 0) step({ type: 'retry' })
              else step({ type: 'end', order: 0, part: 1, as: 'expired' })
            }
          }
          // Orders that were on their way end as they like; then the exit is refused twice, and taken at last.
          settle()
          step({ type: 'kline' })
          for (const type of ['end', 'retry', 'end', 'retry'] as const)
            step({ type, order: 0, part: 0, as: 'rejected' })
          settle()
          expect([session.ledger.orders.working.length, session.engine.unfinishedExits]).toEqual([0, []])
          expect(Math.abs(session.held) * 100).toBeLessThan(5)
        },
      ),
      { numRuns: 120 },
    )
    // Random cases of 120 runs have 380 to 580.
    expect(unfinished).toBeGreaterThan(200)
  })

  it('entries and exits in turns never hold more than one position, and the last word counts', () => {
    const words = {
      long: enterLong({ size: { base: 2 } }),
      short: enterShort({ size: { base: 2 } }),
      out: exit(),
      none: [],
    }
    let both = 0
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('long', 'long', 'short', 'out', 'out', 'none'), {
          minLength: 1,
          maxLength: 14,
        }),
        fc.array(anyHappening, { maxLength: 60 }),
        (script: readonly (keyof typeof words)[], course) => {
          const session = new EngineSession(scripted({ ...script.map(word => words[word]) }))
          const step = (happening: Happening) => {
            const { length } = session.outputs
            happen(session, happening)
            confirm(session, length)
            expect(Math.abs(session.held)).toBeLessThanOrEqual(2)
            const entries = session.ledger.orders.working.filter(({ request }) => !request.reduceOnly)
            expect(entries.length).toBeLessThanOrEqual(1)
            if (entries.length > 0 && session.held !== 0) both++
          }
          for (const happening of course) step(happening)
          while (session.time / 60_000 < script.length) step({ type: 'kline' })
          for (let round = 0; round < 60; round++) {
            if (atExchange(session).length === 0) step({ type: 'retry' })
            else step({ type: 'end', order: 0, part: 1, as: 'expired' })
          }
          expect([session.ledger.orders.working.length, session.engine.unfinishedExits]).toEqual([0, []])
          const last = script.findLast(word => word !== 'none')
          // An entry that the exchange refused is not sent again.
          if (last === 'long') expect(session.held).toBeGreaterThanOrEqual(0)
          else if (last === 'short') expect(session.held).toBeLessThanOrEqual(0)
          // A rest worth less than the smallest order, 5 USDT, cannot be closed.
          else expect(Math.abs(session.held) * 100).toBeLessThan(5)
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 300) },
    )
    // Entries worked while a position was still held.
    expect(both).toBeGreaterThan(20)
  })
})
