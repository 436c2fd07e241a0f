import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../../src/domain/events/engine-output.ts'
import { amountOf } from '../../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../../../src/domain/orders/order-request.ts'
import type { Signal } from '../../../../src/domain/signal.ts'
import type { RiskLimits } from '../../../../src/risk/risk-rules.ts'
import {
  cancelEntries,
  enterLong,
  exit,
  keepQuotes,
  protect,
  targetPosition,
} from '../../../../src/strategy/index.ts'
import { ExecutionSession } from '../../../execution/execution-session.ts'
import { requestOf } from '../../../ledger/order-parts.ts'
import { MINUTE } from '../../../simulator/exchange-caller.ts'
import { riskLimitsKept } from '../money/risk-limits-kept.ts'
import { NO_PAST, type Past, pastAfter } from '../past.ts'
import { protectionCoversPosition } from '../protection/protection-covers-position.ts'
import type { Moment, Violation } from '../scene.ts'
import { entriesReplaced } from './entries-replaced.ts'
import { groupsKept } from './groups-kept.ts'
import { leavesRightly } from './leaves-rightly.ts'
import { lifetimesKept } from './lifetimes-kept.ts'
import { noNewRisk } from './no-new-risk.ts'
import { ordersAsAsked } from './orders-as-asked.ts'
import { quotesKept } from './quotes-kept.ts'

const SYMBOL = 'BTC/USDT'
const BID: Partial<OrderDraft> = { spec: { type: 'limit', price: ticks(9000) } }
const STOP = { protects: 'entry', purpose: 'stopLoss', side: 'sell', reduceOnly: true } as const

const noRisk = { account: {}, strategies: new Map() }
const nothing: EngineEvent = { type: 'balancesReported', balances: new Map(), time: 0 }
const problemsIn = (violations: readonly Violation[]) => violations.map(({ problem }) => problem)
const canceled = (clientOrderId: string): EngineOutput => ({
  type: 'cancelOrder',
  clientOrderId,
  symbol: SYMBOL,
})
const signaled = (signal: Signal): EngineOutput => ({
  ...{ type: 'signaled', strategy: 'test', symbol: SYMBOL, signal, time: 0 },
})

/** A moment of a session: an event, what was decided, and the past that both come to. */
function momentOf(
  session: ExecutionSession,
  decisions: readonly EngineOutput[],
  event: EngineEvent = nothing,
  before: Past = NO_PAST,
): Moment {
  const { ledger, accounts: user, instrument } = session
  const after = pastAfter(before, event, decisions, ledger)
  const scene = { ledger, user, instruments: [instrument], othersPrefix: 'other', risk: noRisk }
  return { ...scene, event, decisions, before, after }
}

/** A session that has bought 1 BTC (0.999 after the fee). */
async function bought(protection?: OrderDraft['protection']): Promise<ExecutionSession> {
  const session = new ExecutionSession()
  session.place('entry', { protection })
  await session.run(1000)
  await session.look(1000)
  return session
}

/** The session's latest fill. */
function filledIn({ events }: ExecutionSession): EngineEvent {
  const event = events.findLast(({ type }) => type === 'filled')
  if (event === undefined) throw new Error('Nothing was filled.')
  return event
}

describe('an invariant of decisions finds', () => {
  it('protection that was changed and is not there, or is still there', async () => {
    const session = await bought()
    const wrong = (...decisions: EngineOutput[]) =>
      problemsIn(protectionCoversPosition(momentOf(session, decisions)))
    expect(wrong()).toEqual([])
    const change = signaled(protect({ stopLoss: 90 }))
    expect(wrong(change)).toEqual(['the stopLoss of entry covers 0 of 999'])
    expect(wrong(signaled(protect({ stopLoss: 90, tag: 'another' })))).toEqual([])
    session.place('stop', { ...STOP, spec: { type: 'stop', stopPrice: ticks(9000) }, quantity: steps(999) })
    expect(wrong(change)).toEqual([])
    expect(wrong(signaled(protect({ stopLoss: 'none' })))).toEqual([
      'the stopLoss of entry covers 999 of 999',
    ])
    // It goes: what takes its place comes later.
    expect(wrong(signaled(protect({ stopLoss: 'none' })), canceled('stop'))).toEqual([])
    expect(wrong(change, canceled('stop'))).toEqual([])
  })

  it('protection that was changed behind an entry of its list, once that is over', async () => {
    const session = await bought()
    session.place('stop', { ...STOP, spec: { type: 'stop', stopPrice: ticks(9000) }, quantity: steps(999) })
    session.place('more', { strategy: 'test', spec: { type: 'market' } })
    const list = [signaled(enterLong({ scaleIn: true })), signaled(protect({ stopLoss: 'none' }))]
    const waiting = momentOf(session, list)
    expect(protectionCoversPosition(waiting)).toEqual([])
    session.ledger.orders.update('more', 'canceled')
    const over = momentOf(session, [], nothing, waiting.after)
    expect(problemsIn(protectionCoversPosition(over))).toEqual(['the stopLoss of entry covers 999 of 999'])
    expect(protectionCoversPosition(momentOf(session, [canceled('stop')], nothing, waiting.after))).toEqual(
      [],
    )
    // Another decision of the same moment waits for nothing.
    const apart = [signaled(enterLong()), canceled('another'), signaled(protect({ stopLoss: 'none' }))]
    expect(problemsIn(protectionCoversPosition(momentOf(session, apart)))).toEqual([
      'the stopLoss of entry covers 999 of 999',
    ])
    // A later change counts, also while the earlier one waits.
    session.ledger.orders.update('stop', 'canceled')
    const later = momentOf(session, [signaled(protect({ stopLoss: 90 }))], nothing, waiting.after)
    expect(problemsIn(protectionCoversPosition(later))).toEqual(['the stopLoss of entry covers 0 of 999'])
  })

  it('nothing wrong in several trailing stops that stay while a change to one waits behind an entry', async () => {
    const session = await bought()
    const trail = { ...STOP, purpose: 'trailingStop', quantity: steps(999) } as const
    for (const [id, callbackRate] of [['first', 0.01] as const, ['second', 0.02] as const])
      session.place(id, { ...trail, spec: { type: 'trailingStop', anchor: ticks(10_000), callbackRate } })
    const both = protect({ trailingStop: [{ fraction: 0.01 }, { fraction: 0.02 }] })
    const held = momentOf(session, [signaled(both)])
    expect(protectionCoversPosition(held)).toEqual([])
    session.place('more', { strategy: 'test', spec: { type: 'market' } })
    const one = signaled(protect({ trailingStop: { fraction: 0.03 } }))
    const list = [signaled(enterLong({ scaleIn: true })), one]
    const waiting = momentOf(session, list, nothing, held.after)
    expect(protectionCoversPosition(waiting)).toEqual([])
    session.ledger.orders.update('more', 'canceled')
    const over = momentOf(session, [], nothing, waiting.after)
    expect(problemsIn(protectionCoversPosition(over))).toEqual([
      'the trailingStop of entry covers 1998 of 999',
    ])
  })

  it('nothing wrong in protection that waits behind the second of two exits of a part, but behind the first alone', async () => {
    const session = await bought()
    const change = signaled(protect({ trailingStop: { fraction: 0.01 } }))
    session.place('part', { strategy: 'test', side: 'sell', purpose: 'exit', spec: { type: 'market' } })
    const exits = [signaled(exit({ fraction: 0.2 })), signaled(exit({ fraction: 0.7 }))] as const
    const wrong = (...list: EngineOutput[]) => problemsIn(protectionCoversPosition(momentOf(session, list)))
    expect(wrong(...exits, change)).toEqual([])
    expect(wrong(exits[0], change)).toEqual(['the trailingStop of entry covers 0 of 999'])
  })

  it('take-profits of parts that close more than is held, or of the whole less', async () => {
    const session = await bought()
    const parts = (...fractions: number[]) =>
      signaled(protect({ takeProfit: fractions.map(fraction => ({ at: { fraction: 0.01 }, fraction })) }))
    const wrong = (change: EngineOutput) => problemsIn(protectionCoversPosition(momentOf(session, [change])))
    const target = { ...STOP, purpose: 'takeProfit', spec: { type: 'limit', price: ticks(20_000) } } as const
    session.place('first', { ...target, quantity: steps(499) })
    expect(wrong(parts(0.5, 0.5))).toEqual(['the takeProfit of entry covers 499 of 999'])
    expect(wrong(parts(0.5))).toEqual([])
    session.place('second', { ...target, quantity: steps(501) })
    expect(wrong(parts(0.5))).toEqual(['the takeProfit of entry covers 1000 of 999'])
  })

  it('a group of which two fill unsaid, or one rests on', async () => {
    const session = new ExecutionSession()
    const terms = { oco: 'pair' }
    session.place('one', { terms, spec: { type: 'limit', price: ticks(10_100) } })
    session.place('two', { terms, ...BID })
    await session.run(1000)
    await session.look(1000)
    const filled = filledIn(session)
    const wrong = (...decisions: EngineOutput[]) =>
      problemsIn(groupsKept(momentOf(session, decisions, filled)))
    expect(wrong()).toEqual(['of the group of one: two still rests'])
    expect(wrong(canceled('two'))).toEqual([])
    session.ledger.orders.update('two', 'canceled')
    expect(wrong()).toEqual([])
    const late = { id: '9', clientOrderId: 'two', symbol: SYMBOL, side: 'buy', price: ticks(9000) } as const
    const fee = { fee: amountOf('0'), feeAsset: 'USDT', liquidity: 'maker', time: 0 } as const
    session.ledger.book({ ...late, ...fee, quantity: steps(400) })
    expect(wrong()).toEqual(['of the group of one: nobody says that another one filled'])
    const fill = { ...late, ...fee, quantity: steps(400) }
    expect(wrong({ type: 'groupOverfilled', first: 'two', fill })).toEqual([])
  })

  it('orders that leave although they should not', async () => {
    const session = new ExecutionSession()
    const terms = { oco: 'pair' }
    session.place('bid', { terms, ...BID })
    await session.run(1000)
    session.ledger.orders.add(
      requestOf({ clientOrderId: 'stop', terms, spec: { type: 'stop', stopPrice: ticks(1) } }),
    )
    const leaving = (clientOrderId: string, past: Past, action: 'place' | 'cancel' = 'place') => {
      const dispatch = { action, clientOrderId, symbol: SYMBOL, timestamp: 0, recvWindowMs: 5000 }
      return problemsIn(leavesRightly({ ...momentOf(session, []), dispatch, past }))
    }
    expect(leaving('bid', NO_PAST)).toEqual([])
    expect(leaving('stop', NO_PAST)).toEqual(['order stop leaves beside another one of its group'])
    expect(leaving('stop', NO_PAST, 'cancel')).toEqual([])
    const past = momentOf(session, [canceled('bid')]).after
    expect(leaving('bid', past)).toEqual(['order bid leaves although it was taken back'])
    const halted = { type: 'tradingCommanded', command: 'halt', by: 'operator', reason: '', time: 0 } as const
    expect(leaving('bid', momentOf(session, [], halted).after)).toEqual([
      'order bid leaves although BTC/USDT is halted',
    ])
    expect(leaving('ghost', NO_PAST)).toEqual(['order ghost leaves, and is in no ledger'])
  })

  it('what rests although its time to live is over', async () => {
    const session = new ExecutionSession()
    session.place('bid', { ...BID, terms: { expiresAfter: { klines: 2 } }, decidedAt: MINUTE })
    session.place('brief', { ...BID, terms: { expiresAfter: { ms: MINUTE + 1 } }, decidedAt: MINUTE })
    let past = NO_PAST
    const wrongAt = (minute: number, ...decisions: EngineOutput[]) => {
      const kline = { openTime: minute * MINUTE, open: 1, high: 1, low: 1, close: 1, volume: 1 }
      const event = { type: 'klineClosed', symbol: SYMBOL, interval: '1m', kline } as const
      const moment = momentOf(session, decisions, event, past)
      past = moment.after
      return problemsIn(lifetimesKept(moment))
    }
    expect([wrongAt(0), wrongAt(1)]).toEqual([[], []])
    expect(wrongAt(2, canceled('bid'))).toEqual(['the time to live of brief is over, but it rests'])
    expect(wrongAt(3, canceled('brief'))).toEqual(['the time to live of bid is over, but it rests'])
  })

  it('entries that a decision leaves or takes back without reason', async () => {
    const session = new ExecutionSession()
    session.place('bid', { ...BID, tag: 'low' })
    session.place('kept', { ...BID, tag: 'high', terms: { keep: true } })
    const wrong = (signal: Signal, ...ids: string[]) =>
      problemsIn(entriesReplaced(momentOf(session, [signaled(signal), ...ids.map(canceled)])))
    const [stays, goes] = ['entry bid of BTC/USDT stays', 'entry kept of BTC/USDT is taken back']
    expect(wrong(enterLong())).toEqual([stays])
    expect(wrong(enterLong(), 'bid')).toEqual([])
    expect(wrong(enterLong(), 'bid', 'kept')).toEqual([goes])
    expect(wrong(enterLong({ tag: 'high' }), 'bid', 'kept')).toEqual([])
    expect(wrong(exit({ fraction: 0.5 }), 'kept')).toEqual([goes])
    expect(wrong(exit(), 'bid', 'kept')).toEqual([])
    expect(wrong(targetPosition({ base: 1 }), 'kept')).toEqual([stays])
    expect(wrong(cancelEntries({ tag: 'low' }), 'bid')).toEqual([])
    expect(wrong(protect({ stopLoss: 1 }))).toEqual([])
  })

  it('quotes that rest and are not declared, or are declared once and rest twice', async () => {
    const session = new ExecutionSession()
    const terms = { quotes: 'wide' }
    session.place('bid', { ...BID, terms })
    const declare = (price: number, base: number, name = 'wide') =>
      signaled(keepQuotes([{ side: 'buy', price, size: { base } }], { name }))
    const wrong = (...decisions: EngineOutput[]) => problemsIn(quotesKept(momentOf(session, decisions)))
    const found = 'quote bid of BTC/USDT rests, but is not declared'
    expect([wrong(declare(90.009, 1)), wrong(declare(90, 0.995))]).toEqual([[], []])
    expect([wrong(declare(90.011, 1)), wrong(declare(89.99, 1)), wrong(declare(90, 0.9))]).toEqual([
      [found],
      [found],
      [found],
    ])
    expect([wrong(declare(90, 1, '')), wrong(), wrong(canceled('bid'))]).toEqual([[found], [found], []])
    session.place('again', { ...BID, terms })
    expect(wrong(declare(90, 1))).toEqual([found.replace('bid', 'again')])
  })

  it('orders at the exchange that are not what was decided', async () => {
    const session = new ExecutionSession()
    const kind = (kind: 'ioc' | 'fok' | 'postOnly', price: number): Partial<OrderDraft> => ({
      spec: { type: 'limit', price: ticks(price), kind },
    })
    session.place('maker', kind('postOnly', 9000))
    session.place('whole', kind('fok', 10_100))
    session.place('now', kind('ioc', 9000))
    session.place('market')
    await session.run(1000)
    await session.look(1000)
    const wrong = () => problemsIn(ordersAsAsked(momentOf(session, [])))
    expect(wrong()).toEqual([])
    const order = session.atExchange('whole')
    if (order === undefined) throw new Error('It was not placed.')
    order.executedQuantity = steps(999)
    expect(wrong()).toEqual(['order whole of BTC/USDT filled in part although it is fill-or-kill'])
    order.executedQuantity = steps(1000)
    Object.assign(order, {
      type: 'POST_ONLY',
      price: ticks(9999),
      size: { unit: 'base', quantity: steps(1001) },
    })
    expect(wrong()).toEqual([
      'order whole of BTC/USDT is POST_ONLY, not FOK',
      expect.stringContaining('has the price'),
      'order whole of BTC/USDT took although it is post-only',
      'order whole of BTC/USDT is larger than was asked for',
    ])
  })

  it('entries beyond what account or strategy may do', async () => {
    const session = await bought()
    session.place('ask', {
      side: 'sell',
      decidedAt: -1000,
      reduceOnly: true,
      purpose: 'exit',
      spec: { type: 'limit', price: ticks(9500) },
    })
    const wrong = (limits: RiskLimits, fields: Partial<OrderDraft> = {}, isOfStrategy = false) => {
      const request = requestOf({ clientOrderId: 'wanted', decidedAt: 500, ...fields })
      if (session.ledger.orders.get('wanted') === undefined) session.ledger.orders.add(request)
      const account = { limits: isOfStrategy ? {} : limits }
      const strategies = new Map([[SYMBOL, { limits: isOfStrategy ? limits : {} }]])
      const moment = momentOf(session, [{ type: 'placeOrder', request }])
      return riskLimitsKept({ ...moment, risk: { account, strategies } }).length
    }
    const band = { priceBandRate: amountOf('0.1') as never } // a rate is written as an amount is
    expect([wrong(band, BID), wrong(band, { spec: { type: 'stop', stopPrice: ticks(11_001) } })]).toEqual([
      0, 1,
    ])
    for (const isOfStrategy of [false, true]) {
      // 0.999 are held, and 1 may come.
      const base = (most: string) => wrong({ maxPosition: { base: amountOf(most) } }, {}, isOfStrategy)
      expect([base('1.999'), base('1.998')]).toEqual([0, 1])
      const orders = (count: number, perMs: number) =>
        wrong({ maxOrders: { count, perMs } }, {}, isOfStrategy)
      expect([orders(2, 501), orders(1, 500), orders(1, 501)]).toEqual([0, 0, 1])
    }
    session.ledger.mark(session.instrument, ticks(20_000))
    // What is held at 200 and what may come at that price too: 399.8.
    const quote = (most: string) => wrong({ maxPosition: { quote: amountOf(most) } })
    const all = (most: string) => wrong({ maxExposure: amountOf(most) })
    expect([quote('399.8'), quote('399.79'), all('399.8'), all('399.79')]).toEqual([0, 1, 0, 1])
    const crossing = (price: number) =>
      wrong({ selfCrossingRate: amountOf('0.1') as never }, { spec: { type: 'limit', price: ticks(price) } })
    expect([crossing(9499), crossing(9500)]).toEqual([0, 1])
  })

  it('entries that a protection holds back, and denials that none does', async () => {
    const session = await bought()
    const request = requestOf({ clientOrderId: 'wanted' })
    const rules = { protections: { spread: { mode: 'reducing', maxRate: 0.01 } } } as const
    const wide = { type: 'spreadSeen', symbol: SYMBOL, spreadRate: 0.02, time: 0 } as const
    const found = (event: EngineEvent, decision: EngineOutput, isOfStrategy: boolean) => {
      const risk = isOfStrategy
        ? { account: {}, strategies: new Map([[SYMBOL, rules]]) }
        : { account: rules, strategies: new Map() }
      return noNewRisk({ ...momentOf(session, [decision], event), risk }).length
    }
    const placed: EngineOutput = { type: 'placeOrder', request }
    const intent = { ...request, plan: { type: 'market' }, quantity: amountOf('1') } as const
    const denial = { rule: 'tradingState', limit: '', actual: '', message: '', intent } as const
    const denied: EngineOutput = { type: 'denied', denial, time: 0 }
    for (const isOfStrategy of [false, true]) {
      expect([found(wide, placed, isOfStrategy), found(wide, denied, isOfStrategy)]).toEqual([1, 0])
      expect([found(nothing, placed, isOfStrategy), found(nothing, denied, isOfStrategy)]).toEqual([0, 1])
    }
    const elsewhere = { ...wide, symbol: 'ETH/USDT' }
    expect([found(elsewhere, placed, false), found(elsewhere, placed, true)]).toEqual([1, 0])
  })
})
