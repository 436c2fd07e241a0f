import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { spotTrading } from '../../../src/execution/gateway/spot-trading.ts'
import type { Reconciler } from '../../../src/execution/reconciliation/reconciler.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ANSWER_LOST, type Journey, REQUEST_LOST } from '../../faulty-transport.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { MARGIN_MS, RECV_WINDOW_MS, type SessionOptions } from '../execution-session.ts'
import { ComparedSession } from '../reconciliation/compared-session.ts'

const PLACE = 'POST /sapi/v2/order'
const bid = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) }, quantity: steps(1000) } as const
const NOWHERE: Journey = { answer: { status: 400, body: '{"code":-2013,"msg":"Order does not exist."}' } }
const EMPTY: Journey = { answer: { status: 200, body: '[]' } }

/** Every query of orders answers as if there were none. */
function hiding(call: string): Journey | undefined {
  if (call === 'GET /sapi/v2/order') return NOWHERE
  return /openOrders|historyOrders/.test(call) ? EMPTY : undefined
}

class LateSession extends ComparedSession {
  readonly reconciler: Reconciler

  constructor(options: SessionOptions = {}) {
    super({ isQuoted: false, ...options })
    this.reconciler = this.reconcilerWith({ trading: spotTrading(this.spot), account: this.account })
  }

  compare(): Promise<string> {
    return this.looksOf(this.reconciler, 4, 10_000)
  }

  /** Looks until an order that no query shows is given up. */
  async giveUp(): Promise<void> {
    await this.look(3000)
    await this.run(RECV_WINDOW_MS + MARGIN_MS + 1000)
    await this.look(5000)
    await this.look(5000)
  }

  /** Another program with our account sends an order under an id of ours. */
  another(clientOrderId: string, ...order: readonly ['BUY' | 'SELL', string, string, string]): void {
    const program = new ExchangeCaller(this.exchange, TEST_ACCOUNT)
    program.now = this.clock.now()
    program.order(...order, { newClientOrderId: clientOrderId })
  }

  get late(): readonly (string | undefined)[] {
    return this.reports.flatMap(report => (report.type === 'lateOrder' ? [report.order.clientOrderId] : []))
  }
}

describe('an order that counted as over and turns up', () => {
  it('after it had filled in part keeps what is booked, books what comes, and is canceled', async () => {
    const session = new LateSession()
    await session.compare()
    session.place('own-1', bid)
    await session.run(1)
    session.stranger().order('SELL', 'LIMIT', '0.4', '99')
    await session.look(1)
    session.journeyOf = hiding
    await session.giveUp()
    expect(session.ledger.orders.get('own-1')).toMatchObject({ status: 'expired', filledQuantity: 400 })
    session.stranger().order('SELL', 'LIMIT', '0.3', '99')
    session.journeyOf = () => undefined
    expect(await session.compare()).toBe('agreed')
    expect(session.late).toEqual(['own-1'])
    expect(session.atExchange('own-1')?.status).toBe('CANCELED')
    expect(session.ledger.orders.get('own-1')).toMatchObject({ status: 'canceled', filledQuantity: 700 })
    expect(session.reports).toHaveLength(1)
  })

  it.each([
    ['resting', 0],
    ['filled in part', 300],
  ])(
    'as a part of an order, %s, is canceled, and what it traded is booked on that order',
    async (_is, traded) => {
      const session = new LateSession({ maxVolume: '0.4' })
      await session.compare()
      session.journeyOf = (call, { body }) =>
        call === PLACE && body.includes('own-1.2') ? ANSWER_LOST : hiding(call)
      session.place('own-1', bid)
      await session.giveUp()
      await session.giveUp()
      // Of the three parts the exchange has confirmed two; none is in any query.
      expect(session.ledger.orders.get('own-1')).toMatchObject({ status: 'expired', filledQuantity: 0 })
      const parts = ['own-1.1', 'own-1.2', 'own-1.3']
      expect(parts.map(id => session.atExchange(id)?.status)).toEqual(['NEW', 'NEW', 'NEW'])
      if (traded > 0) session.stranger().order('SELL', 'LIMIT', `${traded / 1000}`, '99')
      session.journeyOf = () => undefined
      expect(await session.compare()).toBe('agreed')
      expect(session.late.toSorted()).toEqual(parts)
      expect(session.user.history.openCount).toBe(0)
      expect(session.ledger.orders.get('own-1')).toMatchObject({ status: 'canceled', filledQuantity: traded })
      expect(session.lifeOf('own-1').filter(said => said === 'canceled')).toHaveLength(1)
      expect(session.executor.liveOrders).toBe(0)
    },
  )
})

it('a part that turns up after its order was canceled, and is lost again, leaves that order canceled', async () => {
  const session = new LateSession({ maxVolume: '0.4' })
  await session.compare()
  // Of three parts the second is in no query.
  session.journeyOf = (call, { url, body }) => {
    if (call === 'GET /sapi/v2/order') return url.includes('own-1.2') ? NOWHERE : undefined
    return call === PLACE && body.includes('own-1.2') ? ANSWER_LOST : hiding(call)
  }
  session.place('own-1', { ...bid, decidedAt: session.clock.now() })
  await session.run(1000)
  session.cancel('own-1')
  await session.giveUp()
  await session.giveUp()
  expect([session.statusOf('own-1'), session.atExchange('own-1.2')?.status]).toEqual(['canceled', 'NEW'])
  session.journeyOf = call => (call.endsWith('openOrders') ? undefined : hiding(call))
  await session.compare()
  expect(session.late).toEqual(['own-1.2'])
  session.journeyOf = hiding
  await session.giveUp()
  await session.giveUp()
  expect(session.lifeOf('own-1').slice(-1)).toEqual(['expired'])
  expect([session.statusOf('own-1'), session.executor.liveOrders]).toEqual(['canceled', 0])
})

it('a part that turns up is known by what it left with, not by what another part did', async () => {
  const session = new LateSession({ maxVolume: '0.4' })
  await session.compare()
  // The first and largest part of 334 never leaves; the others of 333 do, and no query shows them.
  session.journeyOf = (call, { body }) =>
    call === PLACE && body.includes('own-1.1') ? { refused: true } : hiding(call)
  session.place('own-1', bid)
  await session.giveUp()
  await session.giveUp()
  expect(session.statusOf('own-1')).toBe('expired')
  session.stranger().order('SELL', 'LIMIT', '0.3', '99')
  session.journeyOf = () => undefined
  expect(await session.compare()).toBe('agreed')
  expect(session.late.toSorted()).toEqual(['own-1.2', 'own-1.3'])
  expect(session.ledger.orders.get('own-1')).toMatchObject({ status: 'canceled', filledQuantity: 300 })
})

describe('an order that the exchange refused and has all the same', () => {
  const refused: Journey = { answer: { status: 400, body: '{"code":-2100,"msg":"Parameter error."}' } }

  it.each([
    ['whole', undefined, ['own-1']],
    ['in parts', '0.4', ['own-1.1', 'own-1.2', 'own-1.3']],
  ])('%s is told, and canceled', async (_how, maxVolume, ids) => {
    const session = new LateSession(maxVolume === undefined ? {} : { maxVolume })
    await session.compare()
    session.journeyOf = call => (call === PLACE ? refused : undefined)
    session.place('own-1', bid)
    await session.run(1000)
    expect([session.statusOf('own-1'), session.user.history.openCount]).toEqual(['rejected', ids.length])
    expect(await session.compare()).toBe('agreed')
    expect([session.late.toSorted(), session.user.history.openCount]).toEqual([ids, 0])
    expect(session.lifeOf('own-1')).toEqual(['submitted', 'rejected'])
  })
})

describe('an order under an id of ours that counted as never placed', () => {
  async function afterLoss(): Promise<LateSession> {
    const session = new LateSession()
    await session.compare()
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    session.place('own-1', bid)
    await session.giveUp()
    session.journeyOf = () => undefined
    expect(session.lifeOf('own-1')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    return session
  }

  it.each([
    ['quantity', 'BUY', '0.9', '99'],
    ['price', 'BUY', '1', '98'],
    ['side', 'SELL', '1', '101'],
  ] as const)(
    'is canceled, and never ours, where its %s is not what left',
    async (_what, side, volume, price) => {
      const session = await afterLoss()
      session.another('own-1', side, 'LIMIT', volume, price)
      await session.compare()
      expect([session.late, session.user.history.openCount]).toEqual([['own-1'], 0])
      expect(session.lifeOf('own-1')).toEqual(['submitted', 'outcomeLost', 'notPlaced'])
    },
  )
})

it('an order beside one of ours that rests under the same id is canceled, and ours stays', async () => {
  const session = new LateSession()
  await session.compare()
  session.place('own-1', bid)
  await session.run(1)
  session.another('own-1', 'BUY', 'LIMIT', '1', '99')
  expect(session.user.history.openCount).toBe(2)
  await session.compare()
  expect([session.late, session.user.history.openCount]).toEqual([['own-1'], 1])
  expect(session.statusOf('own-1')).toBe('open')
})
