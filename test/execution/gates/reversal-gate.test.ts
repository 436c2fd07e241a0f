import { describe, expect, it } from 'vitest'
import { ReversalGate } from '../../../src/execution/gates/reversal-gate.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const entry = (clientOrderId: string) => requestOf({ clientOrderId, side: 'sell' })

/** A gate beside which those of `exiting` have an exit under way, by clientOrderId. */
function gateWith(exiting: Set<string>, ...held: readonly string[]): ReversalGate {
  const gate = new ReversalGate(({ clientOrderId }) => exiting.has(clientOrderId))
  for (const id of held) gate.waiting.hold(entry(id))
  return gate
}

describe('an order that opens something', () => {
  it('leaves at once where no exit is under way beside it, once', () => {
    const gate = gateWith(new Set(), 'first', 'second')
    const left = [gate.next(), gate.next(), gate.next()].map(request => request?.clientOrderId)
    expect(left).toEqual(['first', 'second', undefined])
  })

  it('waits for the end of an exit, and holds nobody else up meanwhile', () => {
    const exiting = new Set(['turn'])
    const gate = gateWith(exiting, 'turn', 'other')
    expect(gate.next()?.clientOrderId).toBe('other')
    expect(gate.next()).toBeUndefined()
    expect(gate.waiting.requests.map(({ clientOrderId }) => clientOrderId)).toEqual(['turn'])
    exiting.clear()
    expect(gate.next()?.clientOrderId).toBe('turn')
  })

  it('never leaves once it is taken out', () => {
    const gate = gateWith(new Set(['turn']), 'turn')
    expect([gate.waiting.remove('turn'), gate.waiting.remove('turn'), gate.next()]).toEqual([
      true,
      false,
      undefined,
    ])
  })
})
