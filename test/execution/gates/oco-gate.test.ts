import { describe, expect, it } from 'vitest'
import type { EngineEvent, OrderUpdated } from '../../../src/domain/events/engine-event.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'
import { OcoGate } from '../../../src/execution/gates/oco-gate.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const stop = requestOf({ clientOrderId: 'stop', terms: { oco: 'break' } })

function updated(clientOrderId: string, event: OrderUpdated['event']): EngineEvent {
  return { type: 'orderUpdated', clientOrderId, event, time: 0 }
}

function filled(clientOrderId: string): EngineEvent {
  return { type: 'filled', fill: { clientOrderId } as Fill } // all that is looked at
}

/** What a gate that holds the stop until `others` are over gives out after each event. */
function releasedBy(others: readonly string[], ...events: readonly EngineEvent[]): readonly string[] {
  const gate = new OcoGate()
  gate.hold(stop, others)
  return events.map(event =>
    gate
      .released(event)
      .map(({ clientOrderId }) => clientOrderId)
      .join(),
  )
}

describe('an order that waits for the end of another one of its group', () => {
  it.each(['canceled', 'expired', 'rejected', 'notPlaced'] as const)('leaves once that is %s', event => {
    expect(releasedBy(['bid'], updated('bid', event))).toEqual(['stop'])
  })

  it.each(['submitted', 'accepted', 'outcomeLost'] as const)('waits on where that is only %s', event => {
    expect(releasedBy(['bid'], updated('bid', event), updated('bid', 'canceled'))).toEqual(['', 'stop'])
  })

  it('waits for the last of several', () => {
    const events = [updated('bid', 'canceled'), updated('bid', 'canceled'), updated('ask', 'expired')]
    expect(releasedBy(['bid', 'ask'], ...events)).toEqual(['', '', 'stop'])
  })

  it('does not care for the fill or the end of an order that it does not wait for', () => {
    const events = [updated('other', 'canceled'), filled('other'), updated('bid', 'canceled')]
    expect(releasedBy(['bid'], ...events)).toEqual(['', '', 'stop'])
  })

  it('never leaves where one of them has filled, in part or whole', () => {
    const gate = new OcoGate()
    gate.hold(stop, ['bid', 'ask'])
    const events = [filled('bid'), updated('bid', 'canceled'), updated('ask', 'canceled')]
    expect(events.flatMap(event => gate.released(event))).toEqual([])
    expect([gate.isTaken(stop), gate.remove('stop'), gate.isTaken(stop)]).toEqual([true, true, false])
  })

  it('waits here no more once it has left', () => {
    const gate = new OcoGate()
    gate.hold(stop, ['bid'])
    expect(gate.isTaken(requestOf({ terms: { oco: 'other' } }))).toBe(false)
    gate.released(updated('bid', 'canceled'))
    expect([gate.requests, gate.isTaken(stop), gate.remove('stop')]).toEqual([[], false, false])
  })
})
