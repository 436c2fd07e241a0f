import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { stepsOf, ticks } from '../../src/domain/numbers/grid.ts'
import { type Order, pendingOrder } from '../../src/domain/orders/order.ts'
import type { OrderDraft, OrderRequest } from '../../src/domain/orders/order-request.ts'
import { balance } from '../../src/risk/checks/balance.ts'
import { leverage } from '../../src/risk/checks/leverage.ts'
import { limitKind } from '../../src/risk/checks/limit-kind.ts'
import { buyBackCost, sellableBase } from '../../src/risk/own-funds.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import { sizeToBase } from '../../src/risk/sizing.ts'
import { OWN_FUNDS_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

const ETH = { ...OWN_FUNDS_BTC, symbol: 'ETH/USDT', base: 'ETH' }
const PRICE = ticks(10_000)

/** Markets at 100: of the same account 1 BTC long against euros, and 4 ETH short; of a spot account 2 BTC long and 8 short. */
const BESIDE = [
  {
    instrument: { ...OWN_FUNDS_BTC, symbol: 'BTC/EUR', quote: 'EUR' },
    price: PRICE,
    long: 1000,
    short: 16_000,
  },
  { instrument: ETH, price: PRICE, long: 500, short: 4000 },
  { instrument: { ...SPOT_BTC, symbol: 'BTC/USDT:spot' }, price: PRICE, long: 2000, short: 8000 },
]

const draft = (side: 'buy' | 'sell', btc: number, fields: Partial<OrderDraft> = {}) =>
  draftOf({ side, quantity: stepsOf(OWN_FUNDS_BTC, `${btc}`), ...fields })

/** An order that works. */
function working(side: 'buy' | 'sell', btc: number, fields: Partial<OrderDraft> = {}): Order {
  return pendingOrder(draft(side, btc, fields) as OrderRequest) // as if approved
}

/** Held at 100: by the strategy that asks, and by all together. */
function held(own: Partial<Record<'long' | 'short', number>>, all = own, fields: Partial<RiskView> = {}) {
  const count = (btc = 0) => stepsOf(OWN_FUNDS_BTC, `${btc}`)
  const market = { instrument: OWN_FUNDS_BTC, price: PRICE }
  return viewOf({
    instrument: OWN_FUNDS_BTC,
    ownedBase: amountOf('3'),
    own: { ...market, books: ['BTC/USDT'], long: count(own.long), short: count(own.short) },
    markets: [
      { ...market, long: count(all.long), short: count(all.short) },
      // Of another account; it has nothing to do with this one.
      { instrument: { ...ETH, accountType: 'spot' }, price: PRICE, long: 0, short: 7000 },
    ],
    ...fields,
  })
}

describe('base that a margin account of own funds may sell', () => {
  it.each<[string, RiskView, string]>([
    ['all that it owns, when nothing is held', held({}), '3'],
    ['all where a resting sale nets with what the strategy itself is long', held({ long: 1 }), '3'],
    ['not what another strategy is long', held({ long: 1 }, { long: 2.5 }), '1.5'],
    [
      'not what its own exit already sells',
      held({ long: 1 }, { long: 1 }, { working: [working('sell', 0.4, { reduceOnly: true })] }),
      '2.6',
    ],
    [
      'not what its stop-loss and take-profit of one lot may sell, once',
      held(
        { long: 1 },
        { long: 1 },
        {
          working: [
            working('sell', 1, { reduceOnly: true, protects: 'entry' }),
            working('sell', 1, { reduceOnly: true, protects: 'entry' }),
          ],
        },
      ),
      '2',
    ],
    [
      'not what rests for sale already, bids and exits of other books apart',
      held(
        {},
        {},
        {
          working: [
            working('sell', 0.5),
            working('buy', 2),
            working('sell', 1, { reduceOnly: true, book: 'BTC/USDT#other' }),
          ],
        },
      ),
      '2.5',
    ],
    [
      'less by as much of a position as an own exit sells, bids and exits of other books apart',
      held(
        { long: 1 },
        { long: 1 },
        {
          working: [
            working('sell', 0.4, { reduceOnly: true }),
            working('buy', 0.3, { reduceOnly: true }),
            working('sell', 0.2, { reduceOnly: true, book: 'BTC/USDT#other' }),
          ],
        },
      ),
      '2.6',
    ],
    [
      'less by what other markets of the same account and base are long and offer, and by no others',
      held({}, {}, { markets: BESIDE, working: [working('sell', 0.25, { symbol: 'BTC/EUR' })] }),
      // 3 − 1 − 0.25
      '1.75',
    ],
    [
      'less by what another market is long, however much the strategy itself is',
      held({ long: 1 }, {}, { markets: BESIDE }),
      // 3 − 1 of BTC/EUR
      '2',
    ],
  ])('is %s', (_fact, view, text) => {
    expect(amountToText(sellableBase(view))).toBe(text)
  })

  it('bounds a short, and the denial says that nothing can be borrowed', () => {
    expect(balance(draft('sell', 3), held({}))).toBeUndefined()
    expect(balance(draft('sell', 3.001), held({}))).toEqual({
      rule: 'balance',
      limit: '3 BTC',
      actual: '3.001 BTC',
      message:
        'The order would sell 3.001 BTC, but the margin account owns only 3 BTC besides its positions, and the interface has no call to borrow with.',
    })
  })

  it('leaves an exit all that is owned', () => {
    const view = held({ long: 1 }, { long: 3 })
    expect(balance(draft('sell', 3, { reduceOnly: true }), view)).toBeUndefined()
    expect(balance(draft('sell', 3.001, { reduceOnly: true }), view)?.rule).toBe('balance')
  })
})

describe('quote that buys back what was sold', () => {
  it.each<[string, RiskView, string]>([
    ['is nothing when nothing is short', held({ long: 2 }), '0'],
    ['is nothing for an own short that a bid nets with', held({ short: 2 }), '0'],
    ['is the worth of what others are short', held({ short: 1 }, { short: 3 }), '200'],
    [
      'is the worth of an own short as far as exits buy it back',
      held({ short: 2 }, { short: 2 }, { working: [working('buy', 1.5, { reduceOnly: true })] }),
      '150',
    ],
    [
      'is the worth of an own short at most, and only for exits of its own side and book',
      held(
        { short: 2 },
        { short: 2 },
        {
          working: [
            working('buy', 1, { reduceOnly: true }),
            working('buy', 0.5),
            working('sell', 0.5, { reduceOnly: true }),
            working('buy', 0.5, { reduceOnly: true, book: 'BTC/USDT#other' }),
          ],
        },
      ),
      '100',
    ],
    [
      'is the worth of shorts of the same account and quote, and of no others',
      held({}, {}, { markets: BESIDE }),
      '400',
    ],
    [
      'is the worth of what other markets are short, however much the strategy itself is',
      held({ short: 2 }, {}, { markets: BESIDE }),
      '400',
    ],
    [
      'is what the highest stop-loss may trade at, where that is more than the price',
      held(
        { short: 2 },
        { short: 2 },
        {
          working: [
            working('buy', 2, {
              ...{ reduceOnly: true, purpose: 'stopLoss' },
              spec: { type: 'stop', stopPrice: ticks(10_500) },
            }),
            working('buy', 2, {
              ...{ reduceOnly: true, purpose: 'takeProfit' },
              spec: { type: 'limit', price: ticks(9000) },
            }),
          ],
        },
      ),
      '210',
    ],
    [
      'is nothing for a market without a price',
      held({}, {}, { markets: [{ instrument: ETH, price: undefined, long: 0, short: 1000 }] }),
      '0',
    ],
  ])('%s', (_fact, view, text) => {
    expect(amountToText(buyBackCost(view))).toBe(text)
  })

  it('has the fee on top where that is paid in quote', () => {
    const fees = { ...OWN_FUNDS_BTC.fees, paidIn: 'quote' } as const
    const instrument = { ...OWN_FUNDS_BTC, fees }
    const view = held({}, { short: 1 })
    const markets = view.markets.map(market => ({ ...market, instrument: { ...market.instrument, fees } }))
    expect(amountToText(buyBackCost({ ...view, instrument, markets }))).toBe('100.1')
  })

  it('may be spent by the exit that buys it back, and by nothing else', () => {
    const exit = working('buy', 2, { reduceOnly: true })
    // 300 are free beside the 200 that the exit will take.
    const view = held({ short: 2 }, { short: 2 }, { freeQuote: amountOf('300'), working: [exit] })
    expect(balance(draft('buy', 3), view)).toBeUndefined()
    expect(balance(draft('buy', 3.001), view)?.limit).toBe('300 USDT')
    expect(balance(draft('buy', 5, { reduceOnly: true }), view)).toBeUndefined()
    expect(balance(draft('buy', 5.001, { reduceOnly: true }), view)?.limit).toBe('500 USDT')
  })
})

describe('base that the account owes', () => {
  const owing = held({}, {}, { ownedBase: amountOf('-2.5'), freeQuote: amountOf('1000') })

  it.each(['buy', 'sell'] as const)('denies every entry: %s', side => {
    expect(balance(draft(side, 1), owing)).toEqual({
      rule: 'balance',
      limit: '0 BTC owed',
      actual: '2.5 BTC owed',
      message:
        'The margin account owes 2.5 BTC by the books of this bot, so that it opens nothing of BTC/USDT: a purchase would repay that at the exchange instead of opening a position. Buy 2.5 BTC by hand at the exchange, or start with a new journal once the account owes nothing.',
    })
  })

  it('denies no purchase that closes a short', () => {
    expect(balance(draft('buy', 1, { reduceOnly: true }), owing)).toBeUndefined()
  })
})

describe('the way out of a short on own funds', () => {
  const capped = { ...OWN_FUNDS_BTC, maxSlippageRate: 0.01 }
  const view = (free: string, more: Partial<RiskView> = {}) => ({
    ...held({}, {}, { freeQuote: amountOf(free), ...more }),
    instrument: capped,
  })
  const short = (fields: Partial<OrderDraft> = {}) =>
    draft('sell', 1, { protection: { stopLoss: { fraction: 0.02 } }, ...fields })

  it('must be affordable at its stop-loss, with the slippage that the buy may have', () => {
    // 102 × 1.01 = 103.02; the sale brings 100 − 0.1%.
    expect(balance(short(), view('3.12'))).toBeUndefined()
    expect(balance(short(), view('3.11'))).toEqual({
      rule: 'balance',
      limit: '103.01 USDT',
      actual: '103.02 USDT',
      message:
        'Buying the short back at its stop-loss 102.00 may take 103.02 USDT with slippage and fees, but with what the sale brings (99.9 USDT) only 103.01 USDT would be free, and the interface has no call to borrow with. Enter a smaller short, or bring USDT into the account.',
    })
  })

  it('must be affordable at the price of the entry without a stop-loss', () => {
    // 100 × 1.01 = 101
    const bare = short({ protection: undefined })
    expect(balance(bare, view('1.1'))).toBeUndefined()
    expect(balance(bare, view('1.09'))?.message).toContain(
      'Buying the short back at the price of the entry may take 101 USDT',
    )
  })

  it('is not needed where the sale only nets with what the strategy is long', () => {
    const long = held({ long: 1 }, { long: 1 }, { freeQuote: amountOf('0') })
    expect(balance(short(), { ...long, instrument: capped })).toBeUndefined()
  })

  it('counts what closes at market bring that are under way', () => {
    const selling = working('sell', 1, { reduceOnly: true, spec: { type: 'market' } })
    expect(balance(short(), view('0', { working: [selling] }))).toBeUndefined()
  })
})

describe('a margin account of own funds', () => {
  it('is bound by what it owns and not by a leverage', () => {
    const view = held({}, {}, { equity: amountOf('100') })
    expect(leverage(draft('buy', 10), view)).toBeUndefined()
  })

  it('sizes a purchase by what is free', () => {
    const view = held({}, {}, { freeQuote: amountOf('250') })
    expect(sizeToBase({ equityFraction: 1 }, { side: 'buy', price: PRICE }, view)).toBe(amountOf('2.5'))
    expect(sizeToBase({ equityFraction: 1 }, { side: 'sell', price: PRICE }, view)).toBe(amountOf('10'))
  })

  it.each([
    ['fok', 'denied'],
    ['postOnly', 'denied'],
    ['ioc', 'passed'],
    [undefined, 'passed'],
  ] as const)('has limit orders of the kind %s %s', (kind, outcome) => {
    const order = draft('buy', 1, { spec: { type: 'limit', price: PRICE, ...(kind && { kind }) } })
    const refusal = limitKind(order, held({}))
    expect(refusal === undefined ? 'passed' : 'denied').toBe(outcome)
    if (refusal !== undefined)
      expect(refusal.message).toBe(
        `The order is ${kind}, which the exchange does not offer on a margin account; only limit orders that rest or ioc can be placed there.`,
      )
  })

  it('takes every kind where its exchange does', () => {
    const order = draft('buy', 1, { spec: { type: 'limit', price: PRICE, kind: 'postOnly' } })
    expect(limitKind(order, viewOf())).toBeUndefined()
  })
})
