import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrderUpdated } from '../../../src/domain/events/engine-event.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import {
  CLIENT_ORDER_ID_MAX_LENGTH,
  clientOrderIdOf,
  clientOrderIdPrefix,
} from '../../../src/domain/orders/client-order-id.ts'
import type { Fill } from '../../../src/domain/orders/fill.ts'
import {
  MOST_PARTS,
  partId,
  partSizes,
  smallestPart,
  wholeId,
} from '../../../src/domain/orders/order-parts.ts'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import { Executor } from '../../../src/execution/executor.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { ADOPTED } from '../../../src/execution/tracking/known-orders.ts'
import { OrderSlices } from '../../../src/execution/tracking/order-slices.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../../faulty-transport.ts'
import { baseStepsOf, ExecutionSession, MARGIN_MS, RECV_WINDOW_MS } from '../execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const partsOf = (session: ExecutionSession, id: string) =>
  [1, 2, 3, 4].map(number => session.atExchange(partId(id, number)))

/** The nth placement travels as told. */
const nth = (number: number, journey: Journey): ExecutionSession['journeyOf'] => {
  let placements = 0
  return call => (call === PLACE && ++placements === number ? journey : undefined)
}

describe('what happens to parts', () => {
  const event = (clientOrderId: string, what: OrderUpdated['event'], reason?: string): OrderUpdated => ({
    ...{ type: 'orderUpdated', clientOrderId, event: what, time: 1, ...(reason !== undefined && { reason }) },
  })

  /** What an order that left as `big.1` and `big.2` is told of each event. */
  function told(...events: readonly OrderUpdated[]): readonly (string | undefined)[] {
    const parted = new OrderSlices()
    parted.add('big', ['big.1', 'big.2'], 10)
    return events.map(one => {
      const to = parted.translate(one)
      if (to === undefined) return undefined
      expect(to).toMatchObject({ type: 'orderUpdated', clientOrderId: 'big' })
      return to.type === 'orderUpdated' ? `${to.event} ${to.reason ?? ''}`.trim() : ''
    })
  }

  it('is told of the order: every acceptance, one loss, and its end with that of the last part, once', () => {
    expect(
      told(
        event('big.1', 'submitted'),
        event('big.1', 'outcomeLost'),
        event('big.2', 'outcomeLost'),
        event('big.1', 'accepted'),
        event('big.2', 'accepted'),
        event('big.2', 'canceled'),
        event('big.1', 'canceled'),
        event('big.1', 'canceled'),
      ),
    ).toEqual([undefined, 'outcomeLost', undefined, 'accepted', 'accepted', undefined, 'canceled', undefined])
  })

  it('is no loss of an order of which the exchange has something', () => {
    expect(told(event('big.1', 'accepted'), event('big.2', 'outcomeLost'))).toEqual(['accepted', undefined])
  })

  it.each([
    // What the exchange never had was rejected rather than never placed; what it had was canceled or expired.
    [['notPlaced a', 'rejected b'], 'rejected b'],
    [['notPlaced a', 'expired b'], 'expired b'],
    [['notPlaced a', 'notPlaced b'], 'notPlaced a'],
    [['accepted', 'rejected a', 'canceled b'], 'canceled b'],
    [['accepted', 'expired a', 'canceled b'], 'expired a'],
    [['accepted', 'rejected a', 'notPlaced b'], 'expired a'],
  ] as const)('as %j ends it as %s', (whats, end) => {
    const last = whats.length - 1
    const events = whats.map((what, index) => {
      const [name, reason] = what.split(' ')
      return event(index === last ? 'big.2' : 'big.1', name as OrderUpdated['event'], reason)
    })
    expect(told(...events)[last]).toBe(end)
  })

  it('as fills of all ends it without a word; a part that is adopted later ends it again', () => {
    const parted = new OrderSlices()
    parted.add('big', ['big.1', 'big.2'], 10)
    expect([parted.fill('big.1', 5), parted.fill('big.2', 5), parted.fill('whole', 5)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    parted.add('big', ['big.2'], 5, ADOPTED)
    parted.add('big', ['big.3'], 5, ADOPTED)
    expect(parted.translate(event('big.2', 'canceled', 'Late.'))).toBeUndefined()
    expect(parted.fill('big.3', 7)).toEqual({ ...event('big', 'canceled', 'Late.'), time: 7 })
    expect(parted.fill('big.3', 8)).toBeUndefined()
  })

  it('is told of the order where it is a fill, and anything else as it is', () => {
    const parted = new OrderSlices()
    const fill = { id: '1', clientOrderId: 'big.2' } as Fill // all that is looked at
    expect(parted.translate({ type: 'filled', fill })).toEqual({
      ...{ type: 'filled', fill: { id: '1', clientOrderId: 'big' } },
    })
    const others = [
      { type: 'filled', fill: { ...fill, clientOrderId: 'big' } },
      event('big', 'canceled'),
      { type: 'instrumentHalted', symbol: 'BTC/USDT', reason: '', time: 1 },
    ] as const
    for (const other of others) expect(parted.translate(other)).toBe(other)
  })
})

describe('the parts of an order', () => {
  it('come to its quantity, each within the maximum, as few and as equal as can be', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: MOST_PARTS }),
        (most, count) => {
          const quantity = steps(Math.max(1, Math.floor((most * count * 7) / 8)))
          const sizes = partSizes(quantity, steps(most))
          expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(quantity)
          expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
          expect(Math.min(...sizes)).toBe(smallestPart(quantity, steps(most)))
          expect((sizes.length - 1) * most).toBeLessThan(quantity)
          expect(Math.min(...sizes)).toBeGreaterThanOrEqual(
            Math.floor(most / 2) && sizes.length > 1 ? Math.floor(most / 2) : 0,
          )
        },
      ),
    )
    expect(partSizes(steps(10), steps(4))).toEqual([4, 3, 3])
  })

  it('have ids of their own that lead back to the order and are short enough', () => {
    const prefix = clientOrderIdPrefix({ bot: 'bot', strategy: 'strategy', book: 'BTC/USDT' })
    const id = clientOrderIdOf(prefix, Date.UTC(2058, 0), 1000)
    expect(partId(id, MOST_PARTS).length).toBeLessThanOrEqual(CLIENT_ORDER_ID_MAX_LENGTH)
    expect(wholeId(partId(id, 7))).toBe(id)
    expect(wholeId(id)).toBe(id)
  })
})

describe('an order above the largest that the exchange takes', () => {
  it('leaves in parts, each noted before, and is filled as one', async () => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.place('big')
    session.keepLooking()
    await session.run(3000)
    expect(partsOf(session, 'big').map(order => order && baseStepsOf(order))).toEqual([
      334,
      333,
      333,
      undefined,
    ])
    expect(session.departures.map(({ clientOrderId, quantity }) => [clientOrderId, quantity])).toEqual([
      ['big.1', 334],
      ['big.2', 333],
      ['big.3', 333],
    ])
    expect(session.ledger.orders.get('big')).toMatchObject({ status: 'filled', filledQuantity: 1000 })
    expect(session.ledger.netQuantity('BTC/USDT')).toBe(999)
    expect(session.lifeOf('big').filter(said => said === 'submitted')).toHaveLength(1)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('of which one part is rejected keeps the rest, and ends once all of it is over', async () => {
    // Two parts of 4 BTC take 8 of the 10 that there are; a third is refused.
    const session = new ExecutionSession({ maxVolume: '4' })
    session.place('big', { side: 'sell', quantity: steps(12_000) })
    session.keepLooking()
    await session.run(3000)
    expect(session.ledger.orders.get('big')).toMatchObject({
      status: 'expired',
      filledQuantity: 8000,
      reason: expect.stringContaining('Insufficient balance'),
    })
    expect(session.ledger.netQuantity('BTC/USDT')).toBe(-8000)
    expect(session.executor.liveOrders).toBe(0)
  })

  it('of which all parts are rejected is rejected', async () => {
    const session = new ExecutionSession({ maxVolume: '15' })
    session.place('big', { side: 'sell', quantity: steps(45_000) })
    await session.run(3000)
    expect(session.lifeOf('big')).toEqual(['submitted', 'rejected'])
  })

  it('rests in parts, and is canceled as one', async () => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.place('bid', { side: 'buy', spec: { type: 'limit', price: ticks(9_000) } })
    await session.run(1000)
    expect(session.user.history.openCount).toBe(3)
    session.cancel('bid')
    await session.run(1000)
    expect(session.user.history.openCount).toBe(0)
    expect(session.statusOf('bid')).toBe('canceled')
    expect(session.lifeOf('bid').filter(said => said === 'canceled')).toHaveLength(1)
  })

  it.each([
    ['the answer', ANSWER_LOST, 1000],
    ['the request', REQUEST_LOST, 667],
  ])('of whose second part %s is lost sends it no second time', async (_name, journey, filled) => {
    const session = new ExecutionSession({ maxVolume: '0.4' })
    session.journeyOf = nth(2, journey)
    session.place('big')
    session.keepLooking()
    await session.run(RECV_WINDOW_MS + MARGIN_MS + 10_000)
    expect(session.timesSent('big.2')).toBe(1)
    expect(session.ledger.orders.get('big')?.filledQuantity).toBe(filled)
    expect(session.statusOf('big')).toBe(filled === 1000 ? 'filled' : 'expired')
    expect(session.executor.liveOrders).toBe(0)
  })

  it('goes on after a restart with the parts that had left, and books no fill twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3000), fc.nat(3), fc.boolean(), async (dieAt, left, isMarket) => {
        const session = new ExecutionSession({ maxVolume: '0.4' })
        const spec = isMarket
          ? ({ type: 'market' } as const)
          : ({ type: 'limit', price: ticks(9_000) } as const)
        let departed = 0
        session.journeyOf = call =>
          call === PLACE && departed++ >= left ? REQUEST_LOST : { thereMs: 100, backMs: 300 }
        session.place('big', { spec })
        await session.run(dieAt)
        await restarted(session, left)
        const real = [1, 2, 3].reduce(
          (sum, number) => sum + (session.atExchange(partId('big', number))?.executedQuantity ?? 0),
          0,
        )
        expect(session.ledger.orders.get('big')?.filledQuantity).toBe(real)
        const ids = session.user.history.orders.map(({ clientOrderId }) => clientOrderId)
        expect(new Set(ids).size).toBe(ids.length)
        expect(isWorking(session.statusOf('big') ?? 'pending')).toBe(false)
        const fills = session.events.flatMap(event => (event.type === 'filled' ? [event.fill.id] : []))
        expect(new Set(fills).size).toBe(fills.length)
      }),
      { numRuns: 40 },
    )
  })
})

/** Goes on with another executor, as a start does that finds the departures of the first `left` parts in its journal. */
async function restarted(session: ExecutionSession, left: number): Promise<void> {
  // The first executor is dead: nobody hears what it still tells.
  const book = session.book.bind(session)
  session.book = () => {}
  const sentRequests = new SentRequests()
  for (const sentRequest of session.departures.slice(0, left)) sentRequests.add(sentRequest)
  const order = session.ledger.orders.get('big')
  const isOver = order === undefined || !session.ledger.orders.working.includes(order)
  const second = new Executor({
    trading: spotTrading(session.spot),
    serverNow: () => session.clock.now(),
    instruments: new Map([[session.instrument.symbol, session.instrument]]),
    heldFor: () => Number.MAX_SAFE_INTEGER,
    isHeldByExit: () => false,
    maxSlippageRate: 0.01,
    settlementMarginMs: MARGIN_MS,
    onDeparture: () => {},
    emit: book,
    onError: error => session.errors.push(error),
  })
  session.journeyOf = call => (call === PLACE ? { refused: true } : undefined)
  if (isOver) return
  second.resume(session.ledger, sentRequests, () => [])
  const look = () => {
    void second.reconcile()
    session.clock.schedule(1000, look)
  }
  look()
  await session.run(3000)
  second.execute({ type: 'cancelOrder', clientOrderId: 'big', symbol: 'BTC/USDT' })
  await session.run(RECV_WINDOW_MS + MARGIN_MS + 5000)
  expect(second.liveOrders).toBe(0)
}
