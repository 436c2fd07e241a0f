import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLIENT_ORDER_ID_MAX_LENGTH,
  clientOrderIdOf,
  clientOrderIdPrefix,
} from '../../src/domain/client-order-id.ts'
import { steps, ticks } from '../../src/domain/grid.ts'
import { MOST_PARTS, partId, partSizes, smallestPart, wholeId } from '../../src/domain/order-parts.ts'
import { isWorking } from '../../src/domain/order-status.ts'
import { Dispatches } from '../../src/execution/dispatches.ts'
import { Executor } from '../../src/execution/executor.ts'
import { spotTrading } from '../../src/execution/spot-trading.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../faulty-transport.ts'
import { baseStepsOf, ExecutionSession, MARGIN_MS, RECV_WINDOW_MS } from './execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const partsOf = (session: ExecutionSession, id: string) =>
  [1, 2, 3, 4].map(number => session.atExchange(partId(id, number)))

/** The nth placement travels as told. */
const nth = (number: number, journey: Journey): ExecutionSession['journeyOf'] => {
  let placements = 0
  return call => (call === PLACE && ++placements === number ? journey : undefined)
}

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
  const dispatches = new Dispatches()
  for (const dispatch of session.departures.slice(0, left)) dispatches.leave(dispatch)
  const order = session.ledger.orders.get('big')
  const isOver = order === undefined || !session.ledger.orders.working.includes(order)
  const second = new Executor({
    trading: spotTrading(session.spot),
    serverNow: () => session.clock.now(),
    instruments: new Map([[session.instrument.symbol, session.instrument]]),
    heldFor: () => Number.MAX_SAFE_INTEGER,
    maxSlippageRate: 0.01,
    settlementMarginMs: MARGIN_MS,
    onDeparture: () => {},
    emit: book,
    onError: error => session.errors.push(error),
  })
  session.journeyOf = call => (call === PLACE ? { refused: true } : undefined)
  if (isOver) return
  second.resume(session.ledger, dispatches, () => [])
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
