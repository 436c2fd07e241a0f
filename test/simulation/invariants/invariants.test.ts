import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { TradingCommand } from '../../../src/domain/events/trading-event.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../src/domain/orders/order-request.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { RiskLimits } from '../../../src/risk/risk-rules.ts'
import { ExecutionSession } from '../../execution/execution-session.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'
import { balancesAgree } from './money/balances-agree.ts'
import { fillIsReal, fillsBookedOnce } from './money/fills-booked-once.ts'
import { profitAgrees } from './money/profit-agrees.ts'
import { reservationsReleased } from './money/reservations-released.ts'
import { riskLimitsKept } from './money/risk-limits-kept.ts'
import { limitsOfExchangeKept } from './orders/limits-of-exchange-kept.ts'
import { neverSellsMore } from './orders/never-sells-more.ts'
import { noNewRisk } from './orders/no-new-risk.ts'
import { oneOrderPerIntent } from './orders/one-order-per-intent.ts'
import { endIsReal, ordersEndAlike } from './orders/orders-end-alike.ts'
import { NO_PAST, pastOf } from './past.ts'
import { protectionCoversRest } from './protection/protection-covers-position.ts'
import { ProtectionTrades } from './protection/protection-trades.ts'
import type { Moment, Rest } from './scene.ts'

const SYMBOL = 'BTC/USDT'
const BID: Partial<OrderDraft> = { spec: { type: 'limit', price: ticks(9000) } }

/** A session that has bought 1 BTC (0.999 after the fee), as it should. */
async function bought(): Promise<ExecutionSession> {
  const session = new ExecutionSession()
  session.place('entry', { protection: { stopLoss: 90 } })
  await session.run(1000)
  await session.look(1000)
  return session
}

function restOf({ ledger, accounts: user, instrument }: ExecutionSession, more: Partial<Rest> = {}): Rest {
  return {
    ledger,
    user,
    instruments: [instrument],
    othersPrefix: 'other',
    roundTrips: [],
    past: pastOf(ledger),
    requests: [],
    isPunctual: true,
    ...more,
  }
}

function momentOf(session: ExecutionSession, more: Partial<Moment>): Moment {
  const event: EngineEvent = { type: 'balancesReported', balances: new Map(), time: 0 }
  return {
    ...restOf(session),
    event,
    decisions: [],
    before: NO_PAST,
    after: NO_PAST,
    risk: riskOf({}),
    ...more,
  }
}

const riskOf = (limits: RiskLimits) => ({ account: { limits }, strategies: new Map() })
const placed = (fields: Partial<OrderDraft> = {}) =>
  [{ type: 'placeOrder', request: requestOf({ clientOrderId: 'wanted', ...fields }) }] as const
const problemsIn = (violations: readonly { readonly problem: string }[]) =>
  violations.map(({ problem }) => problem)

describe('an invariant finds', () => {
  it('two orders of one intent, but not orders of somebody else', async () => {
    const session = await bought()
    expect(oneOrderPerIntent(restOf(session))).toEqual([])
    const again = { symbol: SYMBOL, side: 'buy', type: 'ioc', quantity: '1', price: '101' } as const
    await Promise.all([
      session.spot.placeOrder({ ...again, clientOrderId: 'other-1' }),
      session.spot.placeOrder({ ...again, clientOrderId: 'other-1' }),
      session.run(100),
    ])
    expect(oneOrderPerIntent(restOf(session))).toEqual([])
    await Promise.all([session.spot.placeOrder({ ...again, clientOrderId: 'entry' }), session.run(100)])
    expect(problemsIn(oneOrderPerIntent(restOf(session)))).toEqual(['two orders have the id entry'])
  })

  it('fills that were missed, invented or changed', async () => {
    const session = await bought()
    expect(fillsBookedOnce(restOf(session))).toEqual([])
    session.ledger.orders.add(requestOf({ clientOrderId: 'ghost' }))
    session.ledger.orders.update('ghost', 'submitted')
    session.ledger.book(
      fillOf(requestOf({ clientOrderId: 'ghost' }), { id: '7', price: '100', quantity: '1' }),
    )
    const sale = {
      symbol: SYMBOL,
      side: 'sell',
      type: 'market',
      quantity: '1',
      clientOrderId: 'unseen',
    } as const
    await Promise.all([session.spot.placeOrder(sale), session.run(100)])
    expect(problemsIn(fillsBookedOnce(restOf(session)))).toEqual([
      'fill 100002 of unseen is not booked',
      'fill 7 of ghost never happened',
    ])
    const event = session.events.find(({ type }) => type === 'filled')
    if (event?.type !== 'filled') throw new Error('Nothing was filled.')
    expect(fillIsReal(momentOf(session, { event }))).toEqual([])
    const fill = { ...event.fill, quantity: steps(1001) }
    expect(problemsIn(fillIsReal(momentOf(session, { event: { ...event, fill } })))).toEqual([
      'fill 100001 is not what the exchange traded',
    ])
    const invented = { ...event.fill, id: '8' }
    expect(problemsIn(fillIsReal(momentOf(session, { event: { ...event, fill: invented } })))).toEqual([
      'fill 8 never happened',
    ])
  })

  it('a balance that differs by the least there is', async () => {
    const session = await bought()
    expect(balancesAgree(restOf(session))).toEqual([])
    session.ledger.setBalance('USDT', (session.ledger.balances.of('USDT') + 1n) as never) // an amount plus one is one
    expect(problemsIn(balancesAgree(restOf(session)))).toEqual([expect.stringMatching(/^USDT is 9\d+/)])
  })

  it('a sale of which no round trip tells, or one that tells of more', async () => {
    const session = await bought()
    const parts = { symbol: SYMBOL, othersPrefix: 'other' }
    expect(profitAgrees(restOf(session))).toEqual([])
    session.place('exit', { side: 'sell', reduceOnly: true, quantity: steps(999), purpose: 'exit' })
    await session.run(1000)
    await session.look(1000)
    // Bought at 100.01 and sold at 99.99, both with a fee of 0.1%; of the first, 1 BTC × 100.01 × 0.1% is quote.
    const trip: RoundTrip = {
      ...{ symbol: parts.symbol, book: SYMBOL, direction: 'long', quantity: steps(999) },
      ...{ entryTime: 0, entryPrice: ticks(10_001), exitTime: 0, exitPrice: ticks(9999) },
      ...{ pnl: amountOf('-0.21988001'), fees: amountOf('0.19990001') },
      ...{ entryReason: 'entry', exitReason: 'exit' },
    }
    expect(profitAgrees(restOf(session, { roundTrips: [trip] }))).toEqual([])
    expect(problemsIn(profitAgrees(restOf(session)))).toEqual([
      'BTC/USDT: sold for 99.89001, booked 0',
      'BTC/USDT: fees 0.19990001, booked 0',
      'BTC/USDT: bought less base fees 0.999, booked 0',
    ])
    // The bot may count in coarser steps than the exchange.
    const coarse = { ...session.instrument, quantityPrecision: 2 }
    const sold = { ...trip, quantity: steps(99) }
    expect(problemsIn(profitAgrees(restOf(session, { instruments: [coarse], roundTrips: [sold] })))[0]).toBe(
      'BTC/USDT: sold for 99.89001, booked 98.9901',
    )
    const wrong = { ...trip, pnl: amountOf('-0.2') }
    expect(problemsIn(profitAgrees(restOf(session, { roundTrips: [wrong] })))).toEqual([
      'BTC/USDT: profit -0.2, booked -0.21988001',
    ])
  })

  it('a position that its stop covers in part', async () => {
    const session = await bought()
    const stop = { protects: 'entry', purpose: 'stopLoss', side: 'sell', reduceOnly: true } as const
    const spec = { type: 'stop', stopPrice: ticks(9000) } as const
    session.place('stop', { ...stop, spec, quantity: steps(999) })
    expect(protectionCoversRest(restOf(session))).toEqual([])
    session.ledger.orders.resize('stop', steps(998))
    expect(problemsIn(protectionCoversRest(restOf(session)))).toEqual([
      'the stopLoss of entry covers 998 of 999',
    ])
  })

  it('a stop whose price came and that nobody sends', async () => {
    const session = await bought()
    const stop = { protects: 'entry', purpose: 'stopLoss', side: 'sell', reduceOnly: true } as const
    session.place('stop', { ...stop, spec: { type: 'stop', stopPrice: ticks(9000) }, quantity: steps(999) })
    const watched = new ProtectionTrades()
    const look = (price: number, now: number) => watched.look(session.ledger, new Map([[SYMBOL, price]]), now)
    expect([look(90, 0), look(90.01, 10_000), look(90, 20_000), look(80, 45_000)].flat()).toEqual([])
    expect(problemsIn(look(90, 45_001))).toEqual(['the price of stop has come, but nobody sends it'])
  })

  it('orders that end otherwise than at the exchange', async () => {
    const session = await bought()
    session.place('bid', BID)
    await session.run(1000)
    expect(problemsIn(ordersEndAlike(restOf(session)))).toEqual(['order bid is NEW, booked as open'])
    const event = { type: 'orderUpdated', clientOrderId: 'bid', event: 'canceled', time: 0 } as const
    expect(problemsIn(endIsReal(momentOf(session, { event })))).toEqual([
      'order bid counts as canceled, but the exchange has it as NEW',
    ])
    expect(endIsReal(momentOf(session, { event: { ...event, clientOrderId: 'entry' } }))).toEqual([])
    session.ledger.orders.update('bid', 'canceled')
    expect(problemsIn(ordersEndAlike(restOf(session)))).toEqual(['order bid is NEW, booked as canceled'])
    session.ledger.orders.add(requestOf({ clientOrderId: 'ghost' }))
    expect(problemsIn(ordersEndAlike(restOf(session)))).toContain(
      'order ghost is pending, but the exchange has none',
    )
  })

  it('calls that were refused as too many, unless a fault made that up', () => {
    const isPunctual = true
    const call = { sequence: 1, time: 0, type: 'request', method: 'GET', path: '/a', status: 429 }
    expect(
      limitsOfExchangeKept({ isPunctual, requests: [{ ...call, faults: ['tooManyRequests'] }] }),
    ).toEqual([])
    expect(limitsOfExchangeKept({ isPunctual, requests: [{ ...call, status: 400 }] })).toEqual([])
    for (const status of [429, 410, 418])
      expect(limitsOfExchangeKept({ isPunctual, requests: [{ ...call, status }] })).toHaveLength(1)
    const late = { ...call, status: 410 }
    expect(limitsOfExchangeKept({ isPunctual: false, requests: [late] })).toEqual([])
  })

  it('money that either side still keeps back', async () => {
    const session = await bought()
    expect(reservationsReleased(restOf(session))).toEqual([])
    session.place('bid', BID)
    await session.run(1000)
    expect(problemsIn(reservationsReleased(restOf(session)))).toEqual([
      '90 USDT is still reserved',
      'the exchange locks 90 USDT',
    ])
  })

  it('more sold than was bought', async () => {
    const session = await bought()
    expect(neverSellsMore(session)).toEqual([])
    session.place('exit', { side: 'sell', reduceOnly: true, quantity: steps(1000), purpose: 'exit' })
    await session.run(1000)
    await session.look(1000)
    expect(problemsIn(neverSellsMore(session))).toEqual(['1 steps more than BTC/USDT held were sold'])
  })

  it('orders beyond a limit', async () => {
    const session = await bought()
    const problems = (more: Partial<Moment>) => problemsIn(riskLimitsKept(momentOf(session, more)))
    expect(problems({ decisions: placed() })).toEqual([])
    expect(problems({ decisions: placed({ quantity: steps(50) }) })).toEqual(['5 is below the minimum'])
    expect(problems({ decisions: placed(), risk: riskOf({ maxNotional: amountOf('99.99') }) })).toHaveLength(
      1,
    )
    session.place('bid', BID)
    expect(problems({ decisions: placed(), risk: riskOf({ maxWorkingOrders: 1 }) })).toEqual([])
    expect(problems({ decisions: placed(), risk: riskOf({ maxWorkingOrders: 0 }) })).toEqual([
      '1 orders work at once',
    ])
    const event = session.events.find(({ type }) => type === 'filled')
    const risk = riskOf({ maxPosition: { base: amountOf('0.998') } })
    expect(problems({ ...(event !== undefined && { event }), risk })).toEqual([
      '0.999 of BTC/USDT are held, more than may be',
    ])
    session.ledger.setBalance('USDT', amountOf('89'))
    expect(problems({ decisions: placed() })).toEqual(['-1 USDT are left'])
  })

  it('orders that trading is held back from', async () => {
    const session = await bought()
    const command = (command: TradingCommand, more: object = {}): EngineEvent => {
      return { type: 'tradingCommanded', command, by: 'operator', reason: '', time: 0, ...more }
    }
    const found = (events: readonly EngineEvent[], fields: Partial<OrderDraft>, now = 0) => {
      const { heldBack } = NO_PAST
      const after = { ...NO_PAST, now, heldBack: events.reduce((past, event) => past.after(event), heldBack) }
      return noNewRisk(momentOf(session, { after, decisions: placed(fields) })).length
    }
    const exit = { reduceOnly: true, purpose: 'exit' } as const
    const stop = { ...exit, protects: 'entry' } as const
    expect([found([], {}), found([command('reduce')], {}), found([command('reduce')], exit)]).toEqual([
      0, 1, 0,
    ])
    expect([found([command('halt')], exit), found([command('halt')], stop)]).toEqual([1, 0])
    expect(found([command('kill')], { ...exit, purpose: 'operator' })).toBe(0)
    expect(found([command('halt'), command('pause', { until: 5 })], exit)).toBe(1)
    expect(found([command('halt'), command('resume')], {})).toBe(0)
    expect(found([command('halt', { symbol: 'ETH/USDT' })], {})).toBe(0)
    expect(found([command('pause', { until: 5 })], {}, 4)).toBe(1)
    expect(found([command('pause', { until: 5 })], {}, 5)).toBe(0)
    const halted = { type: 'instrumentHalted', symbol: SYMBOL, reason: '', time: 0 } as const
    expect([found([halted], {}), found([halted], stop)]).toEqual([1, 0])
  })
})
