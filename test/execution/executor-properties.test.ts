import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, amountToText } from '../../src/domain/numbers/amount.ts'
import { wholeId } from '../../src/domain/orders/order-parts.ts'
import { isWorking } from '../../src/domain/orders/order-status.ts'
import {
  baseStepsOf,
  ExecutionSession,
  MARGIN_MS,
  RECV_WINDOW_MS,
  type SessionOptions,
} from './execution-session.ts'
import { DISTURBED_MS, type RandomTrading, randomTrading } from './random-trading.ts'

/** Plays a session to its end: disturbed at first, then undisturbed until everything is over. */
async function played(
  trading: RandomTrading,
  options: Pick<SessionOptions, 'maxVolume' | 'account'> = {},
): Promise<{ session: ExecutionSession; ids: readonly string[] }> {
  const session = new ExecutionSession({
    klines: trading.klines,
    isQuoted: trading.isQuoted,
    ...options,
  })
  const ids = trading.orders.map((_, index) => `order-${index}`)
  let requests = 0
  session.journeyOf = () => trading.journeys[requests++ % trading.journeys.length]
  schedule(session, trading)
  session.keepLooking()
  await session.run(DISTURBED_MS + 20_000)
  session.journeyOf = () => undefined
  void session.executor.cancelAll()
  await session.run(RECV_WINDOW_MS + MARGIN_MS + 20_000)
  return { session, ids }
}

function schedule(session: ExecutionSession, { orders, strangers }: RandomTrading): void {
  const { clock } = session
  orders.forEach(({ at, fields, cancelAfter }, index) => {
    const id = `order-${index}`
    clock.schedule(at, () => session.place(id, fields))
    if (cancelAfter !== undefined) clock.schedule(at + cancelAfter, () => session.cancel(id))
  })
  for (const { at, side, price, quantity } of strangers) {
    clock.schedule(at, () => session.stranger().order(side, 'LIMIT', quantity, price))
  }
  for (let at = 500; at < DISTURBED_MS; at += 1000) clock.schedule(at, () => observe(session))
}

/** Shows the trigger book the latest price. */
function observe({ exchange, executor, clock }: ExecutionSession): void {
  exchange.advance(clock.now())
  const last = (exchange.state.marketOf('BTC/USDT').reference ?? 0) / 100
  executor.observe('BTC/USDT', { bid: last, ask: last, last })
}

/** An order's end as the ledger has it, and as the exchange has it. */
function endsOf(session: ExecutionSession, id: string) {
  const order = session.ledger.orders.get(id)
  const there = session.atExchange(id)
  const here = `${order?.status} after ${order?.filledQuantity}`
  if (there !== undefined) return [here, `${there.status.toLowerCase()} after ${there.executedQuantity}`]
  const isPossible = ['rejected', 'expired', ...(session.timesSent(id) === 0 ? ['canceled'] : [])]
  return [here, `${isPossible.find(status => status === order?.status)} after 0`]
}

describe('an executor, whatever happens to its requests', () => {
  it.each(['spot', 'margin'] as const)(
    'brings every order on %s to the end that the exchange knows, tells each fill once, and sends no order twice',
    async account => {
      await fc.assert(
        fc.asyncProperty(randomTrading, async trading => {
          const { session, ids } = await played(trading, { account })
          const { ledger, user, executor, events } = session
          for (const id of ids) {
            const [here, there] = endsOf(session, id)
            expect(here, id).toBe(there)
            expect(isWorking(session.statusOf(id) ?? 'pending'), id).toBe(false)
            expect(session.timesSent(id)).toBeLessThanOrEqual(1)
          }
          const told = events.flatMap(event => (event.type === 'filled' ? [event.fill.id] : []))
          expect(told.toSorted()).toEqual(
            [...user.history.trades()].map(({ execution }) => String(execution.id)).toSorted(),
          )
          for (const [asset, { free, locked }] of user.account.holdings) {
            expect(amountToText(ledger.balances.of(asset))).toBe(amountToText(add(free, locked)))
          }
          expect(executor.liveOrders).toBe(0)
          expect(user.history.openCount).toBe(0)
        }),
        { numRuns: account === 'spot' ? 60 : 25 },
      )
    },
    60_000,
  )

  it('sends what is above the largest order in parts, none of them twice, and books all that they trade', async () => {
    await fc.assert(
      fc.asyncProperty(randomTrading, async trading => {
        const { session, ids } = await played(trading, {
          maxVolume: '0.7',
          account: trading.isQuoted ? 'spot' : 'margin',
        })
        const { ledger, user, executor } = session
        const sent = Map.groupBy(user.history.orders, order => wholeId(order.clientOrderId ?? ''))
        for (const id of ids) {
          const orders = sent.get(id) ?? []
          const order = ledger.orders.get(id)
          expect(isWorking(order?.status ?? 'pending'), id).toBe(false)
          expect(order?.filledQuantity).toBe(orders.reduce((sum, part) => sum + part.executedQuantity, 0))
          expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length)
          expect(Math.max(0, ...orders.map(baseStepsOf))).toBeLessThanOrEqual(700)
          expect(orders.reduce((sum, part) => sum + baseStepsOf(part), 0)).toBeLessThanOrEqual(
            order?.request.quantity ?? 0,
          )
        }
        for (const [asset, { free, locked }] of user.account.holdings)
          expect(amountToText(ledger.balances.of(asset))).toBe(amountToText(add(free, locked)))
        expect([executor.liveOrders, user.history.openCount]).toEqual([0, 0])
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('is put through everything that can happen to an order', async () => {
    const happened = new Set<string>()
    for (const trading of fc.sample(randomTrading, { numRuns: 30, seed: 1 })) {
      const { session } = await played(trading)
      for (const event of session.events)
        happened.add(event.type === 'orderUpdated' ? event.event : event.type)
    }
    expect([...happened].toSorted()).toEqual([
      'accepted',
      'canceled',
      'filled',
      'notPlaced',
      'outcomeLost',
      'rejected',
      'submitted',
    ])
  })
})
