import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIFFERENCE_PARTS, type DifferencePart } from '../../src/compare/difference-part.ts'
import { HeldDifference } from '../../src/compare/held-difference.ts'
import { LiveRecord } from '../../src/compare/live-record.ts'
import type { OrderPair } from '../../src/compare/matched-orders.ts'
import { MoneyDifference } from '../../src/compare/money-difference.ts'
import { EXACT_UNIT } from '../../src/compare/order-money.ts'
import { type RecordedOrder, TradingRecord } from '../../src/compare/trading-record.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import {
  type Amount,
  amountFromNumber,
  amountOf,
  amountToNumber,
  rateOf,
} from '../../src/domain/numbers/amount.ts'
import { steps } from '../../src/domain/numbers/grid.ts'
import type { Purpose } from '../../src/domain/orders/order-intent.ts'
import { idleSession } from '../bot/state/idle-session.ts'
import { SPOT_BTC } from '../domain/instruments.ts'
import { fillOf, requestOf } from '../ledger/order-parts.ts'

/** A quarter of what is bought or earned, so that fees are whole BTC. */
const RATE = 0.25
const INSTRUMENT: Instrument = {
  ...SPOT_BTC,
  fees: { maker: rateOf('0.25'), taker: rateOf('0.25'), paidIn: 'received' },
}

/** What a run did on one decision. */
interface Side {
  /** BTC. */
  readonly quantity: number
  readonly price: number
  /** Share that the exchange charged. */
  readonly rate: number
}

/** One decision: of both runs, which asked for the same, or of one of them. */
interface Decision {
  readonly book: string
  readonly side: 'buy' | 'sell'
  /** An entry has no cause of its own. */
  readonly purpose: Purpose
  /** True if other code ran. */
  readonly isChanged: boolean
  readonly live: Side | undefined
  readonly backtest: Side | undefined
}

const BOOKS = ['one', 'two']

function orderOf(decision: Decision, done: Side, decidedAt: number, run: string): RecordedOrder {
  const { book, side, purpose } = decision
  const asked = Math.max(decision.live?.quantity ?? 0, decision.backtest?.quantity ?? 0)
  const request = requestOf({
    ...{ side, purpose, book, decidedAt, clientOrderId: `${run}-${decidedAt}` },
    quantity: steps(asked * 1000),
  })
  const fee = done.rate * done.quantity * (side === 'buy' ? 1 : done.price)
  const fill = fillOf(request, {
    ...{ price: `${done.price}`, quantity: `${done.quantity}`, fee: `${fee}`, time: decidedAt },
    feeAsset: side === 'buy' ? 'BTC' : 'USDT',
  })
  const status = asked === done.quantity ? 'filled' : 'canceled'
  return { request, book, fills: [fill], status, reason: undefined }
}

/** The account of decisions at a price of the end; odd times are those of other code. */
function accountOf(decisions: readonly Decision[], mark: number): Readonly<Record<DifferencePart, number>> {
  const pairs = decisions.map((decision, index): OrderPair => {
    const time = 2 * index + (decision.isChanged ? 1 : 0)
    const { live, backtest } = decision
    return {
      live: live && orderOf(decision, live, time, 'live'),
      backtest: backtest && orderOf(decision, backtest, time, 'backtest'),
    }
  })
  const { parts } = new MoneyDifference(
    {
      pairs,
      evidence: {
        live: new LiveRecord({ time: 0, session: idleSession(INSTRUMENT) }),
        backtest: new TradingRecord(),
        streamOf: () => 'BTC/USDT 1m',
        isChangedAt: time => time % 2 === 1,
      },
      instrumentOf: () => INSTRUMENT,
      markOf: () => amountFromNumber(mark),
      startEquity: amountFromNumber(1e9),
      hasHole: () => false,
    },
    { live: [], backtest: [] },
  )
  return eachPart(part => amountToNumber((parts[part] / EXACT_UNIT) as Amount))
}

function eachPart(amountOf: (part: DifferencePart) => number): Record<DifferencePart, number> {
  const entries = DIFFERENCE_PARTS.map(part => [part, amountOf(part)])
  return Object.fromEntries(entries) as Record<DifferencePart, number>
}

/** The rules of the page once more, BTC by BTC: each that live holds more or less waits, with its cause, for one that ends it. */
function byHand(decisions: readonly Decision[], mark: number): Record<DifferencePart, number> {
  const parts = eachPart(() => 0)
  for (const book of BOOKS) {
    const waiting: { readonly cause: DifferencePart; readonly sign: number }[] = []
    let following: DifferencePart | undefined
    const move = (base: number, money: number, own: DifferencePart): DifferencePart => {
      const [sign, count] = [Math.sign(base), Math.abs(base)]
      if (count === 0) parts[own] += money
      let cause = own
      for (let moved = 0; moved < count; moved++) {
        const [oldest] = waiting
        const isEnd = oldest !== undefined && oldest.sign !== sign
        cause = isEnd ? oldest.cause : own
        if (isEnd) waiting.shift()
        else waiting.push({ cause, sign })
        parts[cause] += money / count
      }
      return cause
    }
    for (const decision of decisions.filter(one => one.book === book)) {
      const { live, backtest, side } = decision
      const sign = side === 'buy' ? 1 : -1
      const baseOf = ({ quantity, rate }: Side) => sign * quantity - (side === 'buy' ? rate * quantity : 0)
      const paidOf = ({ quantity, price, rate }: Side) =>
        sign * quantity * price + (side === 'sell' ? rate * quantity * price : 0)
      const worthOf = (done: Side) => baseOf(done) * mark - paidOf(done)
      const lone = live ?? backtest
      if (lone !== undefined && (live === undefined || backtest === undefined)) {
        const way = live === undefined ? -1 : 1
        const own = causeOf(decision) ?? following ?? 'unexplained'
        following = move(way * baseOf(lone), way * worthOf(lone), own)
      } else if (live !== undefined && backtest !== undefined) {
        const common = Math.min(live.quantity, backtest.quantity)
        const ofPrice = sign * common * (backtest.price - live.price)
        parts.spread += ofPrice
        const usual: Side = { ...live, rate: RATE }
        move(baseOf(live) - baseOf(usual), worthOf(live) - worthOf(usual), 'fees')
        const isSame = live.quantity === backtest.quantity
        const cause = move(
          baseOf(usual) - baseOf(backtest),
          worthOf(usual) - worthOf(backtest) - ofPrice,
          isSame ? 'spread' : 'partialFills',
        )
        if (!isSame) following = cause
        else if (waiting.length === 0) following = undefined
      }
    }
  }
  return parts
}

/** Cause of an order of one run alone, by what it is. */
function causeOf({ live, purpose, isChanged }: Decision): DifferencePart | undefined {
  if (live !== undefined && purpose === 'operator') return 'operator'
  if (live !== undefined && purpose === 'outsideClose') return 'outside'
  return isChanged ? 'changedStrategy' : undefined
}

/** BTC that live holds more, by book. */
function apart(decisions: readonly Decision[], book: string): number {
  const held = (decision: Decision, done: Side | undefined) => {
    if (done === undefined) return 0
    return decision.side === 'buy' ? done.quantity * (1 - done.rate) : -done.quantity
  }
  return decisions
    .filter(decision => decision.book === book)
    .reduce((sum, one) => sum + held(one, one.live) - held(one, one.backtest), 0)
}

const price = fc.integer({ min: 80, max: 120 })
const quantity = fc.integer({ min: 1, max: 4 }).map(quarter => quarter * 4)
const done: fc.Arbitrary<Side> = fc.record({ quantity, price, rate: fc.constant(RATE) })
const charged: fc.Arbitrary<Side> = fc.record({ quantity, price, rate: fc.constantFrom(RATE, RATE, 0.5) })
const what = {
  book: fc.constantFrom(...BOOKS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  isChanged: fc.boolean(),
}
const ENTRY: fc.Arbitrary<Purpose> = fc.constant('entry')
const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.record({ ...what, purpose: ENTRY, live: charged, backtest: done }),
  fc
    .record({ ...what, purpose: ENTRY, live: charged, backtest: done })
    .map(one => ({ ...one, live: { ...one.live, quantity: one.backtest.quantity } })),
  fc.record({
    ...what,
    purpose: fc.constantFrom<Purpose>('entry', 'operator', 'outsideClose'),
    ...{ live: charged, backtest: fc.constant(undefined) },
  }),
  fc.record({ ...what, purpose: ENTRY, live: fc.constant(undefined), backtest: done }),
)

/** The same decisions, and in each book one of live alone after which both runs hold the same. */
function ended(decisions: readonly Decision[]): readonly Decision[] {
  const ends = BOOKS.flatMap((book): readonly Decision[] => {
    const more = apart(decisions, book)
    const live = { quantity: Math.abs(more), price: 100, rate: 0 }
    const side = more > 0 ? 'sell' : 'buy'
    return more === 0
      ? []
      : [{ ...{ book, side, live }, purpose: 'entry', isChanged: false, backtest: undefined }]
  })
  return [...decisions, ...ends]
}

function expectSame(found: Record<DifferencePart, number>, expected: Record<DifferencePart, number>): void {
  for (const part of DIFFERENCE_PARTS) expect(found[part], part).toBeCloseTo(expected[part], 6)
}

describe('a difference in what is held', () => {
  const decisions = fc.array(decision, { maxLength: 12 })

  it('belongs to the cause by which it came, until an order of either run ends it', () => {
    fc.assert(
      fc.property(decisions, price, (list, mark) => {
        expectSame(accountOf(list, mark), byHand(list, mark))
      }),
    )
  })

  it('leaves no part that moves with the market, wherever both runs hold the same', () => {
    fc.assert(
      fc.property(decisions, list => {
        const all = ended(list)
        for (let length = 0; length <= all.length; length++) {
          const so = all.slice(0, length)
          if (BOOKS.some(book => apart(so, book) !== 0)) continue
          expectSame(accountOf(so, 50), accountOf(so, 150))
        }
      }),
    )
  })
})

describe('a difference of less than can be traded', () => {
  const base = (btc: string) => amountOf(btc)

  it('is no reason for what follows, and keeps its cause until it ends', () => {
    const held = new HeldDifference(base('0.001'))
    held.diverge(base('0.004'), 0n, 'sizes')
    expect(held.diverge(base('-0.0035'), -7n, 'operator')).toEqual([{ part: 'sizes', amount: -7n }])
    expect([held.isApart, held.cause]).toEqual([false, 'sizes'])
    held.reunite()
    expect(held.cause).toBeUndefined()
    expect(held.diverge(base('-0.002'), -8n, 'operator')).toEqual([
      { part: 'sizes', amount: -2n },
      { part: 'operator', amount: -6n },
    ])
    expect([held.base, held.isApart, held.cause]).toEqual([base('-0.0015'), true, 'operator'])
    held.reunite()
    expect(held.cause).toBe('operator')
  })
})
