import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { CancelCause } from '../../../src/domain/orders/cancel-cause.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import { ExecutionSession, firstOf } from '../execution-session.ts'

const PLACE = 'POST /sapi/v2/order'
const CANCEL = 'POST /sapi/v2/cancel'
const terms = { oco: 'break' }
const bid: Partial<OrderDraft> = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) }, terms }
/** Its price is below the market, so that it trades at once when it is sent. */
const stop: Partial<OrderDraft> = { side: 'buy', spec: { type: 'stop', stopPrice: ticks(10_000) }, terms }

/** A bid at 99 rests at the exchange, a stop of its group waits in the trigger book. */
async function restingPair(
  options?: ConstructorParameters<typeof ExecutionSession>[0],
): Promise<ExecutionSession> {
  const session = new ExecutionSession(options)
  session.place('bid', bid)
  session.place('stop', stop)
  await session.run(1)
  return session
}

/** Orders that may not leave yet, when the price of the stops among them comes. */
function heldBack(orders: Readonly<Record<string, Partial<OrderDraft>>>): ExecutionSession {
  const session = new ExecutionSession()
  session.executor.holdPosition('BTC/USDT')
  for (const [id, draft] of Object.entries(orders)) session.place(id, draft)
  seeTrigger(session)
  return session
}

const seeTrigger = (session: ExecutionSession) =>
  session.executor.observe('BTC/USDT', { bid: 99.99, ask: 100.01, last: 100 })

function reasonOf(session: ExecutionSession, clientOrderId: string): string | undefined {
  return session.ledger.orders.get(clientOrderId)?.reason
}

describe('an entry whose price has come', () => {
  it('is sent once the entry of its group at the exchange is canceled', async () => {
    const session = await restingPair()
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    await session.run(400)
    expect([session.timesSent('stop'), session.statusOf('stop')]).toEqual([0, 'open'])
    await session.run(1000)
    expect(session.lifeOf('bid')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(reasonOf(session, 'bid')).toBe('Another order of its group reached its price.')
    expect([session.timesSent('stop'), session.statusOf('stop')]).toEqual([1, 'filled'])
    expect(session.calls.lastIndexOf(PLACE)).toBeGreaterThan(session.calls.indexOf(CANCEL))
  })

  it('is not sent where that one filled before its cancel', async () => {
    const session = await restingPair({ isQuoted: false })
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    await session.run(100)
    session.stranger().order('SELL', 'LIMIT', '1', '99')
    await session.run(1000)
    expect([session.statusOf('bid'), session.timesSent('stop')]).toEqual(['filled', 0])
    session.executor.execute({
      type: 'cancelOrder',
      clientOrderId: 'stop',
      symbol: 'BTC/USDT',
      cause: 'groupFilled',
    })
    expect([session.statusOf('stop'), reasonOf(session, 'stop')]).toEqual([
      'canceled',
      'Another order of its group filled.',
    ])
  })

  it('is not sent where that one filled in part before its cancel', async () => {
    const session = await restingPair({ isQuoted: false })
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    await session.run(100)
    session.stranger().order('SELL', 'LIMIT', '0.4', '99')
    await session.run(1000)
    expect([session.statusOf('bid'), session.timesSent('stop')]).toEqual(['canceled', 0])
  })

  it('can be taken back while it waits', async () => {
    const session = await restingPair()
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    session.cancel('stop')
    await session.run(1000)
    expect(session.lifeOf('stop')).toEqual(['submitted', 'accepted', 'canceled'])
    expect(session.timesSent('stop')).toBe(0)
  })

  it('goes with all others when the bot leaves', async () => {
    const session = await restingPair()
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    await session.executor.cancelAll()
    await session.run(1000)
    expect([session.statusOf('stop'), session.timesSent('stop')]).toEqual(['canceled', 0])
  })

  it('waits for one that is being sent, and is not sent where that one trades', async () => {
    const session = new ExecutionSession()
    session.place('stop', stop)
    session.place('other', stop)
    seeTrigger(session)
    await session.run(10)
    expect([session.statusOf('stop'), session.timesSent('other')]).toEqual(['filled', 0])
  })

  it('waits in the trigger book while another of its group waits for a cancel', async () => {
    const session = await restingPair()
    session.place('other', stop)
    session.journeyOf = firstOf(CANCEL, { thereMs: 500 })
    seeTrigger(session)
    await session.run(1000)
    expect([session.timesSent('stop'), session.timesSent('other')]).toEqual([1, 0])
    session.cancel('other')
    expect(session.statusOf('other')).toBe('canceled')
  })

  it('takes back the entry of its group that still waits to leave', async () => {
    const session = heldBack({ bid, stop })
    expect(session.lifeOf('bid')).toEqual(['submitted', 'canceled'])
    expect(reasonOf(session, 'bid')).toBe('Another order of its group reached its price.')
    session.executor.releasePositions()
    await session.run(10)
    expect([session.timesSent('bid'), session.statusOf('stop')]).toEqual([0, 'filled'])
  })

  it('waits in the trigger book while another one whose price has come waits to leave', async () => {
    const session = heldBack({ stop, other: stop })
    session.executor.releasePositions()
    await session.run(10)
    expect([session.statusOf('stop'), session.statusOf('other')]).toEqual(['filled', 'open'])
    expect(session.timesSent('other')).toBe(0)
  })

  it('is sent at once where it belongs to no group, or to another', async () => {
    const session = await restingPair()
    session.place('alone', { ...stop, terms: undefined, quantity: steps(100) })
    session.place('other', { ...stop, terms: { oco: 'other' }, quantity: steps(100) })
    session.cancel('stop')
    seeTrigger(session)
    await session.run(10)
    expect([session.statusOf('alone'), session.statusOf('other'), session.statusOf('bid')]).toEqual([
      'filled',
      'filled',
      'open',
    ])
  })
})

describe('an order whose time to live is over', () => {
  const cause: CancelCause = 'expired'
  it.each([
    ['at the exchange', bid],
    ['in the trigger book', { ...stop, spec: { type: 'stop', stopPrice: ticks(11_000) } } as const],
  ])('ends expired, and says so: %s', async (_name, fields) => {
    const session = new ExecutionSession()
    session.place('order', fields)
    await session.run(1)
    session.executor.execute({ type: 'cancelOrder', clientOrderId: 'order', symbol: 'BTC/USDT', cause })
    await session.run(10)
    expect(session.lifeOf('order')).toEqual(['submitted', 'accepted', 'expired'])
    expect(reasonOf(session, 'order')).toBe('Its time to live is over.')
  })
})

describe('a limit order of a kind', () => {
  const limit = (price: number, kind: 'ioc' | 'fok' | 'postOnly'): Partial<OrderDraft> => ({
    side: 'buy',
    spec: { type: 'limit', price: ticks(price), kind },
  })

  it.each([
    ['IOC within the market trades', limit(10_100, 'ioc'), 'filled', 'IOC'],
    ['IOC short of the market is canceled', limit(9_900, 'ioc'), 'canceled', 'IOC'],
    ['FOK within the market trades', limit(10_100, 'fok'), 'filled', 'FOK'],
    ['FOK short of the market is canceled', limit(9_900, 'fok'), 'canceled', 'FOK'],
    ['post-only within the market is canceled', limit(10_100, 'postOnly'), 'canceled', 'POST_ONLY'],
    ['post-only short of the market rests', limit(9_900, 'postOnly'), 'open', 'POST_ONLY'],
  ])('%s', async (_name, fields, status, type) => {
    const session = new ExecutionSession()
    session.place('order', fields)
    await session.run(10)
    expect([session.statusOf('order'), session.atExchange('order')?.type]).toEqual([status, type])
    expect(session.errors).toEqual([])
  })
})
