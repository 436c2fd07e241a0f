import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { openQuantityOf } from '../../src/domain/orders/order.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { Orders } from '../../src/ledger/orders.ts'
import { fillOf, requestOf } from './order-parts.ts'

const REQUEST = requestOf({ clientOrderId: 'a', quantity: steps(1000) })
const part = (id: string, quantity: string) => fillOf(REQUEST, { id, price: '100', quantity })

/** Orders with `a`, one BTC, open on the exchange. */
function withOpenOrder(): Orders {
  const orders = new Orders()
  orders.add(REQUEST)
  orders.update('a', 'submitted')
  orders.update('a', 'accepted', { exchangeOrderId: '77' })
  return orders
}

describe('an order in the ledger', () => {
  it('starts pending with nothing filled', () => {
    const orders = new Orders()
    expect(orders.add(REQUEST)).toEqual({ request: REQUEST, status: 'pending', filledQuantity: 0 })
    expect(orders.get('a')?.status).toBe('pending')
    expect(orders.working.map(({ request }) => request.clientOrderId)).toEqual(['a'])
  })

  it('exists once', () => {
    const orders = withOpenOrder()
    expect(() => orders.add(REQUEST)).toThrow(InvariantError)
    expect(() => orders.add(REQUEST)).toThrow('Order a exists already')
    orders.update('a', 'canceled')
    expect(() => orders.add(REQUEST)).toThrow('Order a exists already')
  })

  it('keeps what the exchange told of it', () => {
    const orders = withOpenOrder()
    const canceled = orders.update('a', 'canceled', { reason: 'by the user' })
    expect(canceled).toMatchObject({ status: 'canceled', exchangeOrderId: '77', reason: 'by the user' })
  })

  it('that is taken in at once is what it is after being submitted and accepted', () => {
    const orders = new Orders()
    orders.add(REQUEST)
    const open = orders.acknowledge('a')
    expect(open).toEqual({ request: REQUEST, status: 'open', filledQuantity: 0 })
    expect(orders.working).toEqual([open])
    expect(() => orders.acknowledge('a')).toThrow('An order that is open cannot become submitted.')
    expect(() => orders.acknowledge('b')).toThrow('No order has the id b.')
  })

  it('follows the transition table', () => {
    const orders = withOpenOrder()
    expect(() => orders.update('a', 'notPlaced')).toThrow('An order that is open cannot become notPlaced.')
    expect(orders.get('a')?.status).toBe('open')
  })

  it('must be known', () => {
    expect(() => new Orders().update('a', 'accepted')).toThrow(InvariantError)
    expect(() => new Orders().fill(part('1', '1'))).toThrow('No order has the id a.')
    expect(() => new Orders().resize('a', steps(1))).toThrow('No order has the id a.')
    expect(new Orders().get('a')).toBeUndefined()
  })

  it('is listed as working, in order of placement, until it is over', () => {
    const orders = new Orders()
    for (const clientOrderId of ['x', 'y', 'z']) orders.add(requestOf({ clientOrderId }))
    orders.update('x', 'submitted')
    orders.update('y', 'rejected')
    orders.update('x', 'outcomeLost')
    expect(orders.working.map(({ request }) => request.clientOrderId)).toEqual(['x', 'z'])
    expect(orders.get('y')?.status).toBe('rejected')
  })
})

describe('fills of an order', () => {
  it('add up until it is filled', () => {
    const orders = withOpenOrder()
    expect(orders.fill(part('1', '0.4'))).toMatchObject({ status: 'partiallyFilled', filledQuantity: 400 })
    expect(orders.fill(part('2', '0.599'))).toMatchObject({ status: 'partiallyFilled', filledQuantity: 999 })
    expect(orders.fill(part('3', '0.001'))).toMatchObject({ status: 'filled', filledQuantity: 1000 })
    expect(orders.working.length).toBe(0)
  })

  it('count once each, however often they are seen', () => {
    const orders = withOpenOrder()
    orders.fill(part('1', '0.4'))
    expect(orders.fill(part('1', '0.4'))).toBeUndefined()
    expect(orders.get('a')?.filledQuantity).toBe(400)
    orders.fill(part('2', '0.6'))
    expect(orders.fill(part('2', '0.6'))).toBeUndefined()
    expect(orders.get('a')?.status).toBe('filled')
  })

  it('count once each over a restart too, by their ids in order', () => {
    const orders = withOpenOrder()
    expect(orders.fillsOf('a')).toEqual([])
    expect(orders.fillsOf('none')).toEqual([])
    const ids = ['7', '3', '5']
    for (const id of ids) orders.fill(part(id, '0.1'))
    const restored = new Orders()
    restored.restore(orders.snapshot())
    for (const one of [orders, restored]) {
      expect(one.fillsOf('a')).toEqual(ids)
      for (const id of ids) expect(one.fill(part(id, '0.1'))).toBeUndefined()
      expect(one.fill(part('9', '0.1'))?.filledQuantity).toBe(400)
    }
  })

  it('never exceed what was ordered', () => {
    const orders = withOpenOrder()
    orders.fill(part('1', '0.4'))
    expect(() => orders.fill(part('2', '0.601'))).toThrow(InvariantError)
    expect(() => orders.fill(part('2', '0.601'))).toThrow(
      'Fill 2 would bring order a to 1001 steps, but only 1000 were ordered.',
    )
    expect(orders.get('a')?.filledQuantity).toBe(400)
  })

  it('may come late after a cancel, without opening the order again', () => {
    const orders = withOpenOrder()
    orders.update('a', 'canceled')
    expect(orders.fill(part('1', '0.4'))).toMatchObject({ status: 'canceled', filledQuantity: 400 })
    expect(orders.working.length).toBe(0)
    expect(orders.fill(part('2', '0.6'))?.status).toBe('filled')
  })

  it('of an order that was never sent are refused, and count once they are possible', () => {
    const orders = new Orders()
    orders.add(REQUEST)
    expect(() => orders.fill(part('1', '0.4'))).toThrow(InvariantError)
    orders.update('a', 'submitted')
    expect(orders.fill(part('1', '0.4'))?.filledQuantity).toBe(400)
  })
})

describe('resizing', () => {
  it('leaves less to be filled', () => {
    const orders = withOpenOrder()
    orders.fill(part('1', '0.4'))
    expect(openQuantityOf(orders.resize('a', steps(500)))).toBe(100)
    expect(orders.working[0]?.request.quantity).toBe(500)
    expect(orders.fill(part('2', '0.1'))?.status).toBe('filled')
  })

  it('of an order that has left already lets it fill with what it left with, and its rest be canceled', () => {
    const orders = withOpenOrder()
    orders.resize('a', steps(700))
    orders.resize('a', steps(600))
    // The state of a restart knows it as well.
    const restored = new Orders()
    restored.restore(orders.snapshot())
    for (const one of [orders, restored]) {
      expect(one.fill(part('1', '0.6'))).toMatchObject({ status: 'filled', filledQuantity: 600 })
      expect(one.update('a', 'canceled').status).toBe('filled')
      const whole = one.fill(part('2', '0.4'))
      expect(whole).toMatchObject({ status: 'filled', filledQuantity: 1000, request: { quantity: 1000 } })
      expect(() => one.fill(part('3', '0.001'))).toThrow(
        'Fill 3 would bring order a to 1001 steps, but only 1000 were ordered.',
      )
    }
  })

  it('to more lets it fill with that alone', () => {
    const orders = withOpenOrder()
    orders.resize('a', steps(500))
    orders.resize('a', steps(1200))
    expect(orders.fill(part('1', '1.2'))).toMatchObject({ status: 'filled', filledQuantity: 1200 })
  })

  it('has no size to change once it is over', () => {
    const orders = withOpenOrder()
    orders.update('a', 'canceled')
    expect(() => orders.resize('a', steps(500))).toThrow('Order a is canceled')
  })

  it('cannot go below what is filled', () => {
    const orders = withOpenOrder()
    orders.fill(part('1', '0.4'))
    expect(() => orders.resize('a', steps(399))).toThrow(InvariantError)
    expect(orders.get('a')?.request.quantity).toBe(1000)
  })
})

describe('the best price that a trailing stop has seen', () => {
  it('is its anchor at first, is known over a restart, and stays once the order is over', () => {
    const orders = withOpenOrder()
    const spec = { type: 'trailingStop', distance: ticks(500), anchor: ticks(10_500) } as const
    orders.add(requestOf({ clientOrderId: 'stop', spec }))
    expect(orders.bestOf('stop')).toBe(10_500)
    orders.trail('stop', ticks(10_700))
    const restored = new Orders()
    restored.restore(orders.snapshot())
    for (const one of [orders, restored]) {
      expect(one.bestOf('stop')).toBe(10_700)
      expect(one.bestOf('a')).toBeUndefined()
      expect(one.bestOf('none')).toBeUndefined()
      one.update('stop', 'canceled')
      one.trail('stop', ticks(10_900))
      expect(one.bestOf('stop')).toBe(10_700)
    }
  })
})

describe('finished orders', () => {
  /** Adds orders `from` to `to` and lets them end at once. */
  function finish(orders: Orders, from: number, to: number): void {
    for (let number = from; number < to; number++) {
      orders.add(requestOf({ clientOrderId: `n${number}` }))
      orders.update(`n${number}`, 'rejected')
    }
  }

  it.each([10_001, 25_000, 30_000])(
    'of %i are remembered 5000 at least and 10000 at most, the latest ones',
    count => {
      const orders = withOpenOrder()
      finish(orders, 0, count)
      const remembered = Array.from({ length: count }, (_, number) => orders.get(`n${number}`) !== undefined)
      const first = remembered.indexOf(true)
      expect(remembered.lastIndexOf(false)).toBe(first - 1)
      expect(count - first).toBeGreaterThanOrEqual(5000)
      expect(count - first).toBeLessThanOrEqual(10_000)
      expect(orders.get('a')?.status).toBe('open')
    },
  )

  it('are remembered as long as a ledger is asked to, working ones always', () => {
    const orders = new Orders(3)
    orders.add(requestOf({ clientOrderId: 'working' }))
    finish(orders, 0, 10)
    // Three at least, six at most: once n8, the ninth, had ended, all before n6 were forgotten.
    expect(orders.remembered.map(({ request }) => request.clientOrderId)).toEqual([
      'n6',
      'n7',
      'n8',
      'working',
      'n9',
    ])
  })

  it('take a late fill while they are remembered, and none afterwards', () => {
    const orders = withOpenOrder()
    orders.update('a', 'canceled')
    finish(orders, 0, 4_999)
    expect(orders.fill(part('1', '0.4'))?.filledQuantity).toBe(400)
    finish(orders, 4_999, 10_000)
    expect(() => orders.fill(part('2', '0.4'))).toThrow('No order has the id a.')
  })

  it('are remembered once each, those of before first, also by a restart', () => {
    const orders = withOpenOrder()
    finish(orders, 0, 5_002)
    // At the 5000th that finished, all became the generation of before; what works stays with the later ones.
    const ids = [...Array.from({ length: 5_000 }, (_, number) => `n${number}`), 'a', 'n5000', 'n5001']
    const restored = new Orders()
    restored.restore(orders.snapshot())
    for (const one of [orders, restored]) {
      expect(one.remembered.map(({ request }) => request.clientOrderId)).toEqual(ids)
      // The restart counts on: 4,998 more, and what is before these two is forgotten.
      finish(one, 5_002, 9_999)
      expect(one.get('n0')?.status).toBe('rejected')
      finish(one, 9_999, 10_000)
      expect(one.get('n0')).toBeUndefined()
      expect(one.get('n5000')?.status).toBe('rejected')
      expect(one.working.map(({ status }) => status)).toEqual(['open'])
    }
  })

  it('are told apart however alike their ids are', () => {
    // "Aa" and "BB" have one hash under multiplication by 31, and only the last characters are hashed at all.
    const ids = ['Aa', 'BB'].flatMap(end => [`x-same-long-end-${end}`, `y-same-long-end-${end}`])
    const orders = new Orders()
    for (const clientOrderId of ids) orders.add(requestOf({ clientOrderId }))
    for (const id of ids) expect(orders.get(id)?.request.clientOrderId).toBe(id)
    for (const clientOrderId of ids)
      expect(() => orders.add(requestOf({ clientOrderId }))).toThrow('exists already')
    expect(orders.get('x-same-long-end-AB')).toBeUndefined()
  })

  it('that turn out to be open are kept', () => {
    const orders = withOpenOrder()
    orders.update('a', 'expired')
    orders.update('a', 'accepted')
    finish(orders, 0, 30_001)
    expect(orders.working[0]?.status).toBe('open')
    expect(orders.get('a')?.status).toBe('open')
  })
})
