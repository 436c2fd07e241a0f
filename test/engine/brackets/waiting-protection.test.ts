import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import type { ProtectSignal, Signal } from '../../../src/domain/signal.ts'
import { cancelEntries, enterLong, exit, protect } from '../../../src/strategy/index.ts'
import { EngineSession, MARGIN, scripted } from '../engine-session.ts'

/** Confirms every cancel until nothing that was taken back works. */
function confirmCancels(session: EngineSession): void {
  for (let at = 0; at < session.outputs.length; at++) {
    const output = session.outputs[at]
    if (output?.type !== 'cancelOrder') continue
    const order = session.ledger.orders.get(output.clientOrderId)
    const number = session.placed.findIndex(({ clientOrderId }) => clientOrderId === output.clientOrderId) + 1
    if (order !== undefined && isWorking(order.status)) session.update(number, 'canceled')
  }
}

/** `tag kind price quantity` of every protective order that works, sorted. */
function protectionOf(session: EngineSession): readonly string[] {
  return session.ledger.orders.working
    .filter(({ request }) => request.protects !== undefined)
    .map(({ request: { tag, purpose, spec, quantity }, filledQuantity }) => {
      const price = spec.type === 'stop' ? spec.stopPrice : spec.type === 'limit' ? spec.price : undefined
      return `${tag ?? 'untagged'} ${purpose} ${Number(price) / 100} ${(quantity - filledQuantity) / 1000}`
    })
    .sort()
}

/** Two decisions, of which the second comes before the entry of the first has filled. */
function twoDecisions(first: readonly Signal[], second: Signal | readonly Signal[]): EngineSession {
  const session = new EngineSession(scripted({ 0: first, 1: second }), { instrument: MARGIN })
  session.kline(100)
  session.kline(100)
  return session
}

const entry = enterLong({ size: { base: 3 } })

describe('a change of protection that waits for an entry of its list', () => {
  it('gives way to a newer one, which covers what fills later too', () => {
    const session = twoDecisions([entry, protect({ stopLoss: 95 })], protect({ stopLoss: 97 }))
    session.fill(1, 100)
    confirmCancels(session)
    expect(protectionOf(session)).toEqual(['untagged stopLoss 97 3'])
  })

  it('never takes away the stop-loss that was decided while the entry filled', () => {
    const list = [entry, protect({ stopLoss: 'none' })]
    const session = new EngineSession(scripted({ 0: list, 1: protect({ stopLoss: 97 }) }))
    session.kline(100)
    session.fill(1, 100, 1)
    session.kline(100)
    expect(protectionOf(session)).toEqual(['untagged stopLoss 97 1'])
    session.fill(1, 100)
    confirmCancels(session)
    expect(protectionOf(session)).toEqual(['untagged stopLoss 97 3'])
  })

  it('stays as far as a newer one says nothing of it', () => {
    const session = twoDecisions([entry, protect({ stopLoss: 95 })], protect({ takeProfit: 110 }))
    session.fill(1, 100)
    expect(protectionOf(session)).toEqual(['untagged stopLoss 95 3', 'untagged takeProfit 110 3'])
  })

  it.each<[string, Signal]>([
    ['enters again', enterLong({ size: { base: 1 }, scaleIn: true, order: { type: 'limit', price: 90 } })],
    ['takes entries back', cancelEntries()],
    ['exits what is held', exit()],
  ])('stays where the next decision %s', (_what, next) => {
    const session = twoDecisions([entry, protect({ stopLoss: 95 })], next)
    session.fill(1, 100)
    expect(protectionOf(session)).toEqual(['untagged stopLoss 95 3'])
  })

  const level = (name: 'stopLoss' | 'takeProfit', from: number) =>
    fc.oneof(
      fc.constant({}),
      fc.constant({ [name]: 'none' as const }),
      fc.integer({ min: from, max: from + 6 }).map(price => ({ [name]: price })),
    )
  const change: fc.Arbitrary<ProtectSignal> = fc
    .tuple(level('stopLoss', 90), level('takeProfit', 103), fc.constantFrom(undefined, 'old', 'new'))
    .map(([stopLoss, takeProfit, tag]) =>
      protect({ ...stopLoss, ...takeProfit, ...(tag !== undefined && { tag }) }),
    )
    .filter(({ stopLoss, takeProfit }) => stopLoss !== undefined || takeProfit !== undefined)

  it('leads to what was said last of each kind and entry, whenever the entry fills', () => {
    const plan = fc.record({
      first: fc.array(change, { minLength: 1, maxLength: 3 }),
      later: fc.array(fc.record({ filled: fc.constantFrom(0, 0, 0.25), said: change }), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(plan, ({ first, later }) => {
        const [old, added] = ['old', 'new'].map(tag => enterLong({ size: { base: 2 }, scaleIn: true, tag }))
        const script = [[old], [added, ...first], ...later.map(({ said }) => [said])]
        const session = new EngineSession(scripted({ ...script } as Record<number, Signal[]>))
        session.kline(100)
        session.fill(1, 100)
        session.kline(100)
        const number = session.placed.findIndex(({ tag }) => tag === 'new') + 1
        for (const { filled } of later) {
          if (filled > 0) session.fill(number, 100, filled)
          session.kline(100)
          confirmCancels(session)
        }
        session.fill(number, 100)
        confirmCancels(session)
        const said = [...first, ...later.map(step => step.said)]
        const expected = ['old', 'new'].flatMap(tag =>
          (['stopLoss', 'takeProfit'] as const).flatMap(kind => {
            const last = said.findLast(one => (one.tag ?? tag) === tag && one[kind] !== undefined)?.[kind]
            return typeof last === 'number' ? [`${tag} ${kind} ${last} 2`] : []
          }),
        )
        expect(protectionOf(session)).toEqual(expected.sort())
      }),
    )
  })
})
