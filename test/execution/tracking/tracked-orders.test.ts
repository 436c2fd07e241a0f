import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import { trackedOrder } from '../../../src/execution/tracking/tracked-order.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

type Known = Parameters<typeof trackedOrder>[3]

/** Orders that are followed, by their clientOrderIds. */
function tracked(
  orders: Readonly<Record<string, readonly [fields: Partial<OrderDraft>, known?: Known]>>,
): TrackedOrders {
  const all = new TrackedOrders()
  for (const [clientOrderId, [fields, known]] of Object.entries(orders))
    all.add(trackedOrder(SPOT_BTC, requestOf({ clientOrderId, ...fields }), 0, known))
  return all
}

const exit = { side: 'sell', reduceOnly: true, purpose: 'exit', quantity: steps(10) } as const

describe('orders at the exchange or on their way', () => {
  it('are known by their own ids, and by those of the orders that they are parts of', () => {
    const all = tracked({ a: [{}], 'b.1': [{}], 'b.2': [{}] })
    expect([all.size, all.wholeIds]).toEqual([3, ['a', 'b']])
    const partsOf = (id: string) => all.partsOf(id).map(({ request }) => request.clientOrderId)
    expect([partsOf('a'), partsOf('b'), partsOf('b.2'), partsOf('c')]).toEqual([
      ['a'],
      ['b.1', 'b.2'],
      ['b.2'],
      [],
    ])
    expect(['a', 'b', 'b.1'].map(id => [all.has(id), all.get(id)?.request.clientOrderId])).toEqual([
      [true, 'a'],
      [false, undefined],
      [true, 'b.1'],
    ])
    const [first] = all.all
    if (first !== undefined) all.remove(first)
    expect([all.has('a'), all.size]).toEqual([false, 2])
  })

  it('are known by the ids of the exchange, once it has told them', () => {
    const all = tracked({ a: [{}, { exchangeOrderId: '7' }], b: [{ symbol: 'ETH/USDT' }] })
    expect([all.hasAtExchange('7'), all.hasAtExchange('8')]).toEqual([true, false])
    expect([all.hasUnconfirmed(), all.hasUnconfirmed('ETH/USDT'), all.hasUnconfirmed('BTC/USDT')]).toEqual([
      true,
      true,
      false,
    ])
    expect(tracked({ a: [{}, { exchangeOrderId: '7' }] }).hasUnconfirmed()).toBe(false)
  })

  it('are known by the ids of the exchange also once they have ended', () => {
    const all = tracked({ a: [{}, { exchangeOrderId: '7' }], b: [{}] })
    for (const order of all.all) all.remove(order)
    expect([all.hasAtExchange('7'), all.hasHadAtExchange('7'), all.hasHadAtExchange('8')]).toEqual([
      false,
      true,
      false,
    ])
  })

  it('that wait to leave and open something can be taken back, each once', () => {
    const waits = { wasSent: false }
    const all = tracked({
      left: [{}, { wasSent: true }],
      entry: [{}, waits],
      'cut.1': [{}, waits],
      'cut.2': [{}, waits],
      exit: [exit, waits],
      other: [{ symbol: 'ETH/USDT' }, waits],
    })
    expect(all.waitingEntries(({ symbol }) => symbol === 'BTC/USDT')).toEqual(['entry', 'cut'])
  })

  it('reduce what another one reduces where side and position are the same and something is open', () => {
    const all = tracked({
      whole: [exit],
      half: [exit, { booked: steps(4) }],
      filled: [exit, { booked: steps(10) }],
      entry: [{ ...exit, reduceOnly: false }],
      cover: [{ ...exit, side: 'buy' }],
      other: [{ ...exit, book: 'BTC/USDT#other' }],
    })
    const beside = all.exitsBeside(requestOf({ clientOrderId: 'new', ...exit }))
    expect(beside.map(({ request, open }) => [request.clientOrderId, open])).toEqual([
      ['whole', 10],
      ['half', 6],
    ])
  })

  it('are of one group where they say so, and none is another one of itself', () => {
    const terms = { oco: 'break' }
    const spec = { type: 'limit', price: ticks(9_900) } as const
    const all = tracked({
      'bid.1': [{ terms, spec }],
      'bid.2': [{ terms, spec }],
      'ask.1': [{ terms, spec, side: 'sell' }],
      other: [{ terms: { oco: 'other' } }],
      alone: [{}],
    })
    expect(all.groupOf(requestOf({ clientOrderId: 'bid', terms }))).toEqual(['ask'])
    expect(all.groupOf(requestOf({ clientOrderId: 'new', terms }))).toEqual(['bid', 'ask'])
  })
})
