import { describe, expect, it } from 'vitest'
import type { TradingHold, TradingScope } from '../../src/domain/events/trading-hold.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { OrderDraft, OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { Marked, RiskFact } from '../../src/risk/protections/protection.ts'
import type { ProtectionRules, RiskLimits } from '../../src/risk/risk-rules.ts'
import { RiskScope } from '../../src/risk/risk-scope.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import type { StateCommand } from '../../src/risk/trading-state.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

const ACCOUNT: TradingScope = {}
const STRATEGY: TradingScope = { symbol: 'BTC/USDT', strategy: 'test' }
const HOUR = 3_600_000

/** A working sale of one BTC at 100. */
const offer = (book: string): Order => ({
  request: draftOf({
    side: 'sell',
    book,
    spec: { type: 'limit', price: ticks(10_000) },
    clientOrderId: 'offer',
  }) as OrderRequest, // as if approved
  status: 'open',
  filledQuantity: steps(0),
})

/** Rules that refuse an order, in the order in which they are asked. */
function refusals(scope: RiskScope, order: OrderDraft, view: RiskView): readonly (string | undefined)[] {
  return scope.checks.map(check => check(order, view)?.rule).filter(rule => rule !== undefined)
}

describe('limits of a scope', () => {
  const limits: Required<RiskLimits> = {
    priceBandRate: rateOf('0.1'),
    maxNotional: amountOf('50'),
    maxPosition: { base: amountOf('0.5') },
    maxExposure: amountOf('50'),
    maxOrders: { count: 1, perMs: 60_000 },
    maxWorkingOrders: 1,
    selfCrossingRate: rateOf('0.01'),
  }
  /** A bid for one BTC at 120, which is worth 120 and would meet the own offer at 100. */
  const bid = draftOf({ spec: { type: 'limit', price: ticks(12_000) } })
  const view = viewOf({ working: [offer('BTC/USDT')] })

  it.each<[keyof RiskLimits, string]>([
    ['priceBandRate', 'priceBand'],
    ['maxNotional', 'maxNotional'],
    ['maxOrders', 'maxOrders'],
    ['maxWorkingOrders', 'maxWorkingOrders'],
    ['selfCrossingRate', 'selfCrossing'],
    ['maxPosition', 'maxPosition'],
    ['maxExposure', 'maxExposure'],
  ])('%s alone refuses by %s alone', (limit, rule) => {
    const scope = new RiskScope(ACCOUNT, { limits: { [limit]: limits[limit] } })
    scope.orderTimes?.note(0)
    expect(scope.checks).toHaveLength(1)
    expect(refusals(scope, bid, view)).toEqual([rule])
  })

  it('are asked the cheap ones first, and none where none is set', () => {
    const scope = new RiskScope(ACCOUNT, { limits })
    scope.orderTimes?.note(0)
    expect(refusals(scope, bid, view)).toEqual([
      'priceBand',
      'maxNotional',
      'maxOrders',
      'maxWorkingOrders',
      'selfCrossing',
      'maxPosition',
      'maxExposure',
    ])
    expect(new RiskScope(ACCOUNT).checks).toEqual([])
  })

  it('count all that is held and works for the account, and only its own for a strategy', () => {
    const crowd = viewOf({
      working: [offer('BTC/USDT#other')],
      markets: [{ instrument: MARGIN_BTC, price: undefined, long: 100, short: 0 }],
    })
    const counted = { limits: { maxPosition: { base: amountOf('1') }, maxWorkingOrders: 1 } }
    expect(refusals(new RiskScope(ACCOUNT, counted), draftOf(), crowd)).toEqual([
      'maxWorkingOrders',
      'maxPosition',
    ])
    expect(refusals(new RiskScope(STRATEGY, counted), draftOf(), crowd)).toEqual([])
  })
})

const rules: ProtectionRules = {
  drawdown: { rate: rateOf('0.1'), mode: 'halted' },
  lossesInARow: { count: 3, pauseMs: HOUR, mode: 'reducing' },
  staleData: { gapPauseMs: 0, mode: 'reducing' },
  spread: { maxRate: 0.01, mode: 'reducing' },
}
const marked = (equity: string): RiskFact => ({
  type: 'marked',
  result: amountOf(equity),
  equity: amountOf(equity),
  time: 1,
})
const loss: RiskFact = { type: 'tradeClosed', pnl: amountOf('-1'), time: 2 }
const stale: RiskFact = { type: 'dataStale', symbol: 'BTC/USDT', stream: 'klines', ageMs: 1, time: 3 }
const fresh: RiskFact = { type: 'dataFresh', symbol: 'BTC/USDT', stream: 'klines', time: 4 }
const spread = (spreadRate: number): RiskFact => ({
  type: 'spreadSeen',
  symbol: 'BTC/USDT',
  spreadRate,
  time: 5,
})
const holdBy = (source: TradingHold['source'], mode: TradingHold['mode'] = 'reducing'): TradingHold => ({
  source,
  mode,
  reason: 'A reason.',
  since: 0,
})
const resume: StateCommand = { command: 'resume', by: 'operator', reason: 'Go on.', time: 6 }
const sourcesOf = (scope: RiskScope) => scope.state.holds.map(({ source }) => source)

/** A scope with all these rules that has seen facts. */
function seen(...facts: readonly RiskFact[]): RiskScope {
  const scope = new RiskScope(ACCOUNT, { protections: rules })
  for (const fact of facts) scope.observe(fact)
  return scope
}

describe('protections of a scope', () => {
  it('watch only where rules ask for one', () => {
    expect([new RiskScope(ACCOUNT).isWatching, seen().isWatching]).toEqual([false, true])
  })

  it('say whether what holds trading back has changed', () => {
    const scope = seen()
    expect([marked('1000'), stale, stale, fresh, fresh].map(fact => scope.observe(fact))).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })

  it('do not let an operator who resumes lift what is still wrong, and lift it themselves once it is right', () => {
    const scope = seen(stale, spread(0.5))
    expect(scope.command(resume)).toBe(false)
    expect(sourcesOf(scope)).toEqual(['staleData', 'spread'])
    expect([scope.observe(spread(0)), scope.observe(fresh)]).toEqual([true, true])
    expect(sourcesOf(scope)).toEqual([])
  })

  it('begin anew where they held when the operator resumes, and go on where they did not', () => {
    // 900 is a tenth below 1000; two losses are not yet three.
    const scope = seen(marked('1000'), marked('900'), loss, loss)
    expect(sourcesOf(scope)).toEqual(['drawdown'])
    expect(scope.command(resume)).toBe(true)
    // From 900, where the hold began, 809 would be another tenth.
    for (const equity of ['850', '809']) scope.observe(marked(equity))
    expect(sourcesOf(scope)).toEqual([])
    scope.observe(marked('765'))
    scope.observe(loss)
    expect(sourcesOf(scope)).toEqual(['drawdown', 'lossesInARow'])
  })

  it('that hold go on counting from there when another command than to resume comes', () => {
    const scope = seen(marked('1000'), marked('900'))
    scope.command({ ...resume, command: 'halt' })
    // A tenth of 900 is 90.
    expect(['850', '811', '810'].map(equity => scope.observe(marked(equity)))).toEqual([false, false, true])
  })

  it('go on as they are when another command than to resume comes', () => {
    const scope = new RiskScope(ACCOUNT, {
      protections: { lossesInARow: { count: 1, pauseMs: HOUR, mode: 'reducing' }, drawdown: rules.drawdown },
    })
    for (const fact of [loss, marked('1000')]) scope.observe(fact)
    scope.command({ ...resume, command: 'halt' })
    scope.observe(marked('900'))
    expect(sourcesOf(scope)).toEqual(['lossesInARow', 'operator', 'drawdown'])
  })
})

describe('a scope whose worth is watched', () => {
  const mark = (equity: string) => marked(equity) as Marked
  const of = (protections: ProtectionRules) => new RiskScope(ACCOUNT, { protections })

  it.each<[boolean, ProtectionRules]>([
    [false, {}],
    [false, { lossesInARow: rules.lossesInARow, spread: rules.spread }],
    [true, rules],
    [true, { dailyLoss: { rate: rateOf('0.1'), mode: 'reducing' } }],
  ])('is (%s) one with a daily loss or a drawdown', (watches, protections) => {
    expect(of(protections).watchesWorth).toBe(watches)
  })

  it('needs a mark at first, and then where one of its protections would hold', () => {
    const scope = of({ ...rules, dailyLoss: { rate: rateOf('0.05'), mode: 'reducing' } })
    expect(scope.isDue(mark('1000'))).toBe(true)
    scope.observe(marked('1000'))
    expect(['1000', '951', '950', '900'].map(equity => scope.isDue(mark(equity)))).toEqual([
      ...[false, false, true, true],
    ])
    // The day has held already; the fall has not come to a tenth.
    scope.observe(marked('950'))
    expect(['940', '901', '900'].map(equity => scope.isDue(mark(equity)))).toEqual([false, false, true])
    expect(of({ spread: rules.spread }).isDue(mark('1'))).toBe(false)
  })
})

describe('a scope after a restart', () => {
  it('keeps what lasts, and forgets what only holds while something is wrong', () => {
    const scope = seen(stale, spread(0.5))
    expect(
      scope.restoreHolds([
        holdBy('operator', 'halted'),
        holdBy('invariant'),
        holdBy('drawdown', 'halted'),
        holdBy('dailyLoss'),
        holdBy('spread'),
      ]),
    ).toBe(true)
    // The rules ask for no daily loss any more; a wide spread must show itself anew.
    expect(sourcesOf(scope)).toEqual(['operator', 'invariant', 'drawdown'])
    expect([scope.observe(stale), scope.observe(spread(0.5))]).toEqual([true, true])
    expect(sourcesOf(scope)).toEqual(['operator', 'invariant', 'drawdown', 'staleData', 'spread'])
  })

  it('keeps counting towards what does not depend on the moment', () => {
    const scope = seen(loss, loss)
    expect(scope.restoreHolds([])).toBe(false)
    scope.observe(loss)
    expect(sourcesOf(scope)).toEqual(['lossesInARow'])
  })

  it('says that something changed where only a condition is lifted, or only a hold comes back', () => {
    expect([seen(stale).restoreHolds([]), seen().restoreHolds([holdBy('operator')])]).toEqual([true, true])
    expect(seen().restoreHolds([holdBy('staleData'), holdBy('dailyLoss')])).toBe(false)
  })

  it('goes on from its snapshot, without protections that are no longer configured', () => {
    const before = seen(marked('1000'), loss, loss, stale)
    before.state.hold(holdBy('operator'))
    before.state.hold(holdBy('invariant'))
    const after = new RiskScope(ACCOUNT, { protections: { lossesInARow: rules.lossesInARow } })
    after.restore(before.snapshot())
    expect(sourcesOf(after)).toEqual(['operator', 'invariant'])
    after.observe(loss)
    expect(sourcesOf(after)).toEqual(['operator', 'invariant', 'lossesInARow'])
  })

  it('begins a protection anew that its snapshot does not know', () => {
    const after = seen(loss, loss)
    after.restore(new RiskScope(ACCOUNT).snapshot())
    after.observe(loss)
    expect(sourcesOf(after)).toEqual(['lossesInARow'])
  })

  it.each([
    [2, [10, 20]],
    [3, [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  ])('has the times of the latest orders where %i are still counted', (count, expected) => {
    const rated = (most: number) =>
      new RiskScope(ACCOUNT, { limits: { maxOrders: { count: most, perMs: 60_000 } } })
    const before = rated(2)
    for (const time of [0, 10, 20]) before.orderTimes?.note(time)
    const after = rated(count)
    after.restore(before.snapshot())
    expect(after.orderTimes?.snapshot()).toEqual(expected)
    after.restore(new RiskScope(ACCOUNT).snapshot())
    expect(after.orderTimes?.snapshot()).toEqual(expected)
  })
})
