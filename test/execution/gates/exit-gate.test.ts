import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import { ExitGate, type OtherExit } from '../../../src/execution/gates/exit-gate.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const exitOf = (clientOrderId: string, quantity: number, fields: Partial<OrderDraft> = {}) =>
  requestOf({ clientOrderId, side: 'sell', reduceOnly: true, quantity: steps(quantity), ...fields })

/** A gate beside orders at the exchange, where so much is held. */
function gateOf(others: readonly OtherExit[], held: number): ExitGate {
  return new ExitGate({ exitsBeside: () => others, heldFor: () => held })
}

function verdictOn(others: readonly OtherExit[], held: number, request: OtherExit['request']): string {
  const gate = gateOf(others, held)
  gate.waiting.hold(request)
  return gate.next()?.may ?? 'wait'
}

describe('an order that closes something', () => {
  const stop = exitOf('stop', 4, { protects: 'entry', purpose: 'stopLoss' })
  const trailing = exitOf('trailing', 4, { protects: 'entry', purpose: 'trailingStop' })
  const otherStop = exitOf('other', 3, { protects: 'later entry', purpose: 'stopLoss' })
  const exit = exitOf('exit', 4, { purpose: 'exit' })
  const half = exitOf('half', 2, { purpose: 'exit' })
  const open = (request: OtherExit['request'], quantity: number = request.quantity) => ({
    request,
    open: quantity,
  })

  it.each([
    ['is sent where nothing else closes anything', stop, [], 4, 'send'],
    ['waits for another order that protects the same entry', stop, [open(trailing)], 4, 'wait'],
    ['does not wait for one that protects another entry', stop, [open(otherStop)], 7, 'send'],
    ['waits for an exit, where it protects', stop, [open(half)], 4, 'wait'],
    ['waits for what protects, where it is an exit', half, [open(stop)], 4, 'wait'],
    ['is sent beside an exit where both together close no more than is held', half, [open(half)], 4, 'send'],
    ['waits where both together would close more', exit, [open(half)], 4, 'wait'],
    ['counts of another exit only what is still open', exit, [open(half, 0.5)], 5, 'send'],
    ['is idle where less is held than it would close, and nothing else closes it', exit, [], 3, 'idle'],
    ['is idle where nothing is held any more', half, [], 0, 'idle'],
  ] as const)('%s', (_name, request, others, held, verdict) => {
    expect(verdictOn(others, held, request)).toBe(verdict)
  })

  it('lets limit exits make way, the newest first and no more than it takes', () => {
    const limit = (id: string, quantity: number) =>
      open(exitOf(id, quantity, { purpose: 'exit', spec: { type: 'limit', price: ticks(11_000) } }))
    const others = [limit('old', 1), limit('new', 2)]
    const idsFor = (request: OtherExit['request'], held: number) =>
      gateOf(others, held)
        .makingWay(request)
        .map(({ clientOrderId }) => clientOrderId)
    // 1 + 2 + 2 are 1 more than 4, and 2 more than 3; 4 of 4 leave nothing.
    expect([idsFor(half, 4), idsFor(half, 3), idsFor(exit, 4), idsFor(half, 5)]).toEqual([
      ['new'],
      ['new'],
      ['new', 'old'],
      [],
    ])
    expect(idsFor(stop, 9)).toEqual(['old', 'new'])
  })

  it('leaves once, with the quantity that it has by then', () => {
    const others = [open(trailing)]
    const gate = gateOf(others, 4)
    gate.waiting.hold(stop)
    expect(gate.next()).toBeUndefined()
    gate.waiting.resize('stop', steps(1))
    others.pop()
    expect(gate.next()?.request.quantity).toBe(1)
    expect(gate.next()).toBeUndefined()
  })

  it('can be taken back while it waits', () => {
    const gate = gateOf([open(trailing)], 4)
    gate.waiting.hold(stop)
    expect([gate.waiting.remove('stop'), gate.waiting.remove('stop'), gate.waiting.requests]).toEqual([
      true,
      false,
      [],
    ])
  })
})
