import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isWorking,
  nextStatus,
  type OrderEventType,
  type OrderStatus,
} from '../../../src/domain/orders/order-status.ts'
import { InvariantError } from '../../../src/domain/sluice-error.ts'

const STATUSES = [
  'pending',
  'submitted',
  'unknown',
  'open',
  'partiallyFilled',
  'filled',
  'canceled',
  'rejected',
  'expired',
] as const satisfies readonly OrderStatus[]
const EVENTS = [
  'submitted',
  'accepted',
  'rejected',
  'outcomeLost',
  'notPlaced',
  'partlyFilled',
  'filled',
  'canceled',
  'expired',
] as const satisfies readonly OrderEventType[]

/** "An order's life" of ARCHITECTURE.md, a row for each status and a column for each of EVENTS; a dash cannot happen. */
const LIFE: Readonly<Record<OrderStatus, string>> = {
  //               submitted accepted rejected outcomeLost notPlaced partlyFilled filled canceled expired
  pending: '       submitted -        rejected -           expired   -               -      canceled -',
  submitted: '     -         open     rejected unknown     expired   partiallyFilled filled canceled expired',
  unknown: '       -         open     rejected -           expired   partiallyFilled filled canceled expired',
  open: '          -         open     rejected unknown     -         partiallyFilled filled canceled expired',
  partiallyFilled: '- partiallyFilled -        -           -         partiallyFilled filled canceled expired',
  filled: '        -         filled   -        -           -         -               filled filled   filled',
  canceled: '      -         canceled -        -         -         canceled        filled canceled canceled',
  rejected: '      -         -        rejected -           -         -               -      -        -',
  expired: '       -         open     -        -           -         expired         filled canceled expired',
}
const expectedAfter = (status: OrderStatus, event: OrderEventType) =>
  LIFE[status].trim().split(/\s+/)[EVENTS.indexOf(event)]

const PAIRS = STATUSES.flatMap(status =>
  EVENTS.map(event => [status, event, expectedAfter(status, event)] as const),
)

/** Follows events, leaving out those that cannot happen, and tells every status on the way. */
function lifeOf(events: readonly OrderEventType[]): OrderStatus[] {
  const life: OrderStatus[] = ['pending']
  for (const event of events) {
    const status = life.at(-1) ?? 'pending'
    if (expectedAfter(status, event) !== '-') life.push(nextStatus(status, event))
  }
  return life
}

const anyEvents = fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 })

describe('an order', () => {
  it.each(PAIRS.filter(([, , next]) => next !== '-'))(
    'that is %s becomes, when %s, %s',
    (status, event, next) => {
      expect(nextStatus(status, event)).toBe(next)
    },
  )

  it.each(PAIRS.filter(([, , next]) => next === '-'))('that is %s cannot become %s', (status, event) => {
    expect(() => nextStatus(status, event)).toThrow(InvariantError)
    expect(() => nextStatus(status, event)).toThrow(`An order that is ${status} cannot become ${event}.`)
  })

  it('can trade until it is filled, canceled, rejected or expired', () => {
    expect(STATUSES.filter(isWorking)).toEqual(['pending', 'submitted', 'unknown', 'open', 'partiallyFilled'])
  })

  it('stays filled and stays rejected whatever follows', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        const life = lifeOf(events)
        for (const final of ['filled', 'rejected'] as const) {
          const first = life.indexOf(final)
          if (first >= 0) expect(new Set(life.slice(first))).toEqual(new Set([final]))
        }
      }),
    )
  })

  it('that is canceled can only still be filled', () => {
    fc.assert(
      fc.property(anyEvents, events => {
        const life = lifeOf(events)
        const first = life.indexOf('canceled')
        if (first < 0) return
        expect(life.slice(first).filter(status => status !== 'canceled' && status !== 'filled')).toEqual([])
      }),
    )
  })

  it('that is expired opens again only where the exchange shows it', () => {
    const opening = EVENTS.filter(event => {
      const next = expectedAfter('expired', event)
      return next !== '-' && isWorking(nextStatus('expired', event))
    })
    expect(opening).toEqual(['accepted'])
  })

  it('is never pending again once it was handed over', () => {
    fc.assert(fc.property(anyEvents, events => lifeOf(events).lastIndexOf('pending') === 0))
  })
})
