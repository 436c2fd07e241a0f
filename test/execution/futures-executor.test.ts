import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountToText } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import { isWorking } from '../../src/domain/orders/order-status.ts'
import { totalOf } from '../../src/simulator/futures/positions/futures-account.ts'
import { ANSWER_LOST, REQUEST_LOST } from '../faulty-transport.ts'
import { flatMarket } from '../simulator/exchange-caller.ts'
import { FuturesCaller } from '../simulator/futures/futures-caller.ts'
import { MARGIN_MS, RECV_WINDOW_MS } from './execution-session.ts'
import { FuturesSession } from './futures-session.ts'
import { DISTURBED_MS, type RandomTrading, randomTrading } from './random-trading.ts'

const PLACE = 'POST /fapi/v1/order'
const bid = { side: 'buy', spec: { type: 'limit', price: ticks(9_900) } } as const
const open = (options = {}) => new FuturesSession({ klines: flatMarket(100), ...options })

/** Ledger and exchange hold the same, to the last digit, and nothing is on its way. */
function expectAgreed(session: FuturesSession): void {
  session.observe()
  const { ledger, account, executor, heldThere } = session
  expect(ledger.netQuantity('BTC/USDT')).toBe(heldThere)
  expect(isInOrder(toldBy(session))).toBe(true)
  expect(amountToText(ledger.balances.of('USDT'))).toBe(amountToText(totalOf(account.wallet('USDT'))))
  expect([executor.liveOrders, account.records.openOrders.length]).toEqual([0, 0])
  const ids = account.records.orders.map(({ clientOrderId }) => clientOrderId)
  expect(new Set(ids).size).toBe(ids.length)
}

/** Ids of the trades that were told, in that order. */
function toldBy({ events }: FuturesSession): readonly string[] {
  return events.flatMap(event => (event.type === 'filled' ? [event.fill.id] : []))
}

/** How much of a profit is realised depends on the order of trades; a trade with oneself has two sides. */
function isInOrder(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || Number(id) >= Number(ids[index - 1]))
}

describe('an executor on a futures contract', () => {
  it('opens a long and a short, and closes each by an order that only reduces', async () => {
    const session = open()
    session.keepLooking()
    session.place('long')
    await session.run(3000)
    expect(session.heldThere).toBe(10)
    session.place('close', { side: 'sell', purpose: 'exit', reduceOnly: true })
    await session.run(3000)
    expect(session.heldThere).toBe(0)
    session.place('short', { side: 'sell', quantity: steps(4) })
    await session.run(3000)
    expect(session.heldThere).toBe(-4)
    session.place('cover', { purpose: 'exit', reduceOnly: true, quantity: steps(4) })
    await session.run(3000)
    expect(session.account.records.orders.map(({ action }) => action).toSorted()).toEqual([
      'CLOSE',
      'CLOSE',
      'OPEN',
      'OPEN',
    ])
    expect(session.departures.map(({ clientOrderId }) => clientOrderId)).toEqual([
      'long',
      'close',
      'short',
      'cover',
    ])
    expectAgreed(session)
  })

  it('never turns a position round by an exit that comes too late', async () => {
    const session = open()
    session.keepLooking()
    session.place('exit', { side: 'sell', purpose: 'exit', reduceOnly: true })
    await session.run(3000)
    expect(session.statusOf('exit')).toBe('rejected')
    expectAgreed(session)
  })

  it.each([true, false])(
    'finds a resting order whose answer was lost, also where no list tells its clientOrderId (told: %s)',
    async tellsClientIds => {
      const session = open({ tellsClientIds })
      session.keepLooking()
      session.place('other', bid)
      await session.run(2000)
      session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
      session.place('bid', bid)
      session.place('bid-2', bid)
      await session.run(RECV_WINDOW_MS + 2 * MARGIN_MS + 5000)
      expect(['other', 'bid', 'bid-2'].map(id => session.statusOf(id))).toEqual(['open', 'open', 'open'])
      const theirs = ['other', 'bid', 'bid-2'].map(id => session.ledger.orders.get(id)?.exchangeOrderId)
      expect(new Set(theirs).size).toBe(3)
      for (const id of ['other', 'bid', 'bid-2']) session.cancel(id)
      await session.run(3000)
      expectAgreed(session)
    },
  )

  it.each([
    ['in the same run', false],
    ['before a restart', true],
  ])(
    'counts an order as never placed although one like it was filled a moment before, %s, where no list tells clientOrderIds',
    async (_when, restarts) => {
      const session = open({ tellsClientIds: false })
      session.keepLooking()
      session.place('first', { quantity: steps(9), spec: { type: 'market' } })
      await session.run(3000)
      expect(session.statusOf('first')).toBe('filled')
      if (restarts) session.restart()
      session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
      session.place('second', { quantity: steps(9), spec: { type: 'market' } })
      await session.run(100)
      session.journeyOf = () => undefined
      await session.run(RECV_WINDOW_MS + MARGIN_MS + 20_000)
      expect(session.statusOf('second')).toBe('expired')
      expect(session.heldThere).toBe(9)
      expectAgreed(session)
    },
  )

  it('counts an order as never placed only once the exchange cannot take it any more', async () => {
    const session = open()
    session.keepLooking()
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    session.place('bid', bid)
    await session.run(RECV_WINDOW_MS + MARGIN_MS - 1000)
    expect(session.statusOf('bid')).toBe('unknown')
    await session.run(5000)
    expect(session.statusOf('bid')).toBe('expired')
    expectAgreed(session)
  })

  it('leaves alone what somebody placed by hand that looks another way or was there before', async () => {
    const session = open()
    session.keepLooking()
    const person = new FuturesCaller(session.exchange)
    person.now = session.clock.now()
    person.order('BUY', 'OPEN', 'LIMIT', 10, 99)
    await session.run(5000)
    session.journeyOf = call => (call === PLACE ? REQUEST_LOST : undefined)
    session.place('bid', bid)
    await session.run(1000)
    person.now = session.clock.now()
    person.order('BUY', 'OPEN', 'LIMIT', 11, 99)
    person.order('BUY', 'OPEN', 'LIMIT', 10, 98)
    person.order('SELL', 'OPEN', 'LIMIT', 10, 101)
    await session.run(RECV_WINDOW_MS + MARGIN_MS + 5000)
    expect(session.statusOf('bid')).toBe('expired')
    expect(session.account.records.openOrders).toHaveLength(4)
  })

  // Bought at 100.01, fee 0.1%; then 6 contracts change hands with oneself at 100, as maker for 0.05%.
  it('books the two sides of a trade with oneself in the order in which the exchange did: what rested first', async () => {
    const session = open()
    session.keepLooking()
    session.place('long', { spec: { type: 'limit', price: ticks(10_010) } })
    await session.run(3000)
    const inside = { quantity: steps(6), spec: { type: 'limit', price: ticks(10_000) } } as const
    session.place('ask', { side: 'sell', ...inside })
    await session.run(3000)
    session.place('bid', inside)
    await session.run(3000)
    const told = session.events.flatMap(event => (event.type === 'filled' ? [event.fill.clientOrderId] : []))
    expect(told).toEqual(['long', 'ask', 'bid'])
    // 1000 − 0.10001, then 60 − 60.006 − 0.03, then − 0.06; with the bid first it would be 60 − 160.01 × 6 / 16 = −0.00375.
    expect(amountToText(session.ledger.balances.of('USDT'))).toBe('999.80399')
    expectAgreed(session)
  })

  it('waits for the other side of a trade with oneself before it books what came later', async () => {
    const session = open({ tellsClientIds: false })
    session.keepLooking()
    const inside = { quantity: steps(6), spec: { type: 'limit', price: ticks(10_000) } } as const
    session.place('ask', { side: 'sell', ...inside })
    await session.run(3000)
    session.journeyOf = call => (call === PLACE ? ANSWER_LOST : undefined)
    session.place('bid', inside)
    await session.run(100)
    session.journeyOf = () => undefined
    session.place('more', { spec: { type: 'limit', price: ticks(10_010) } })
    await session.run(RECV_WINDOW_MS)
    const told = session.events.flatMap(event => (event.type === 'filled' ? [event.fill.clientOrderId] : []))
    expect(told).toEqual(['ask', 'bid', 'more'])
    expectAgreed(session)
  })

  it('cuts what is above the largest order', async () => {
    const session = open()
    session.keepLooking()
    session.place('big', { quantity: steps(90) })
    await session.run(3000)
    expect(session.heldThere).toBe(90)
    expect(session.account.records.orders.map(({ clientOrderId }) => clientOrderId).toSorted()).toEqual([
      'big.1',
      'big.2',
      'big.3',
    ])
    expectAgreed(session)
  })

  it.each([true, false])(
    'brings every order to an end that ledger and exchange agree on, whatever happens to its requests (ids told: %s)',
    async tellsClientIds => {
      await fc.assert(
        fc.asyncProperty(randomTrading, async trading => {
          const session = await played(trading, tellsClientIds)
          for (const id of trading.orders.keys())
            expect(isWorking(session.statusOf(`order-${id}`) ?? 'pending')).toBe(false)
          const told = toldBy(session)
          const real = [...session.account.records.trades()].map(({ execution }) => `${execution.id}`)
          expect(told.toSorted()).toEqual(real.toSorted())
          expectAgreed(session)
        }),
        { numRuns: 10 },
      )
    },
    60_000,
  )
})

/** Plays a session to its end: disturbed at first, then undisturbed until everything is over. */
async function played(
  { klines, orders, journeys }: RandomTrading,
  tellsClientIds: boolean,
): Promise<FuturesSession> {
  const session = new FuturesSession({ klines, tellsClientIds })
  let requests = 0
  session.journeyOf = () => journeys[requests++ % journeys.length]
  orders.forEach(({ at, fields, cancelAfter }, index) => {
    const id = `order-${index}`
    session.clock.schedule(at, () => session.place(id, contractsOf(fields, index)))
    if (cancelAfter !== undefined) session.clock.schedule(at + cancelAfter, () => session.cancel(id))
  })
  for (let at = 500; at < DISTURBED_MS; at += 1000) session.clock.schedule(at, () => session.observe())
  session.keepLooking()
  await session.run(DISTURBED_MS + 20_000)
  session.journeyOf = () => undefined
  void session.executor.cancelAll()
  await session.run(RECV_WINDOW_MS + MARGIN_MS + 20_000)
  return session
}

/** A tenth of the steps as contracts, and every third order only reduces; every order looks unlike any other of ours. */
function contractsOf(
  { quantity = steps(100), ...fields }: Partial<OrderDraft>,
  index: number,
): Partial<OrderDraft> {
  const contracts = steps(1 + Math.floor(quantity / 300) * 2 + (index % 2))
  return {
    ...fields,
    quantity: contracts,
    reduceOnly: index % 3 === 2,
    purpose: index % 3 === 2 ? 'exit' : 'entry',
  }
}
