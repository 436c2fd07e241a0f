import { describe, expect, it } from 'vitest'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import type { OrderDraft, OrderRequest } from '../../src/domain/orders/order-request.ts'
import { maxExposure } from '../../src/risk/checks/max-exposure.ts'
import { maxNotional } from '../../src/risk/checks/max-notional.ts'
import { maxOrders } from '../../src/risk/checks/max-orders.ts'
import { maxPosition } from '../../src/risk/checks/max-position.ts'
import { maxWorkingOrders } from '../../src/risk/checks/max-working-orders.ts'
import { noSelfCrossing } from '../../src/risk/checks/no-self-crossing.ts'
import { priceBand } from '../../src/risk/checks/price-band.ts'
import { OrderTimes } from '../../src/risk/order-times.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

/** A draft for so many BTC; the latest price is 100. */
const draft = (side: 'buy' | 'sell', btc: number, fields: Partial<OrderDraft> = {}) =>
  draftOf({ side, quantity: steps(Math.round(btc * 1000)), ...fields })

const at = (price: number) => ({ spec: { type: 'limit', price: ticks(price * 100) } }) as const
const stopAt = (price: number) => ({ spec: { type: 'stop', stopPrice: ticks(price * 100) } }) as const

/** A working order for so many BTC, of which some may be filled. */
function working(side: 'buy' | 'sell', btc: number, fields: Partial<OrderDraft> = {}, filled = 0): Order {
  const request = draft(side, btc, { clientOrderId: 'own', ...fields }) as OrderRequest // risk approved it once
  return { request, status: 'open', filledQuantity: steps(filled * 1000) }
}

/** So many steps long (or, negative, short) of BTC in all books. */
const held = (position: number): Partial<RiskView> => ({
  markets: [
    { instrument: MARGIN_BTC, price: undefined, long: Math.max(0, position), short: Math.max(0, -position) },
  ],
})

const ETH = { ...MARGIN_BTC, symbol: 'ETH/USDT', base: 'ETH' }
const EUR = { ...MARGIN_BTC, symbol: 'BTC/EUR', quote: 'EUR' }

describe('maxNotional of 500 USDT', () => {
  const check = maxNotional(amountOf('500'))

  it.each([
    ['5 BTC at market', draft('buy', 5)],
    ['10 BTC at a limit of 50', draft('buy', 10, at(50))],
    ['an exit of any size', draft('sell', 900, { reduceOnly: true })],
  ])('lets %s pass', (_name, order) => {
    expect(check(order, viewOf())).toBeUndefined()
  })

  it.each([
    ['5.001 BTC at market', draft('buy', 5.001), '500.1'],
    ['5 BTC at a limit of 100.01', draft('sell', 5, at(100.01)), '500.05'],
    ['4 BTC at a stop of 130', draft('buy', 4, stopAt(130)), '520'],
  ])('denies %s', (_name, order, actual) => {
    expect(check(order, viewOf())).toEqual({
      rule: 'maxNotional',
      limit: '500 USDT',
      actual: `${actual} USDT`,
      message: `The order is worth ${actual} USDT, above the 500 USDT that one order may be worth.`,
    })
  })
})

describe('priceBand of 10% around 100', () => {
  const check = priceBand(rateOf('0.1'))
  const stopLimit = (stopPrice: number, price: number) =>
    ({ spec: { type: 'stopLimit', stopPrice: ticks(stopPrice * 100), price: ticks(price * 100) } }) as const
  const touchedAt = (price: number) =>
    ({ spec: { type: 'ifTouched', triggerPrice: ticks(price * 100) } }) as const
  const trailingFrom = (price?: number) =>
    ({
      spec: {
        type: 'trailingStop',
        anchor: ticks(20_000),
        distance: ticks(5000),
        ...(price !== undefined && { activationPrice: ticks(price * 100) }),
      },
    }) as const

  it.each([
    ['a market order', draft('buy', 1)],
    ['a bid at 90', draft('buy', 1, at(90))],
    ['an offer at 110', draft('sell', 1, at(110))],
    ['a stop at 110', draft('buy', 1, stopAt(110))],
    ['an entry if 110 is touched', draft('sell', 1, touchedAt(110))],
    ['a trailing stop that starts at 90', draft('buy', 1, trailingFrom(90))],
    ['a trailing stop that starts at once', draft('buy', 1, trailingFrom())],
    ['a take-profit at 200', draft('sell', 1, { ...at(200), reduceOnly: true, protects: 'entry' })],
    ['a stop-loss at 50', draft('sell', 1, { ...stopAt(50), reduceOnly: true, protects: 'entry' })],
  ])('lets %s pass', (_name, order) => {
    expect(check(order, viewOf())).toBeUndefined()
  })

  it.each([
    ['a bid at 89.99', draft('buy', 1, at(89.99)), '89.99'],
    ['an offer at 110.01', draft('sell', 1, at(110.01)), '110.01'],
    ['a bid at 1000, a decimal point off', draft('buy', 1, at(1000)), '1000.00'],
    ['a stop at 110.01', draft('buy', 1, stopAt(110.01)), '110.01'],
    ['an entry if 110.01 is touched', draft('sell', 1, touchedAt(110.01)), '110.01'],
    ['a trailing stop that starts at 89.99', draft('buy', 1, trailingFrom(89.99)), '89.99'],
    ['a stop-limit whose limit is outside', draft('buy', 1, stopLimit(105, 111)), '111.00'],
    ['an exit at 10', draft('sell', 1, { ...at(10), reduceOnly: true }), '10.00'],
  ])('denies %s', (_name, order, price) => {
    expect(check(order, viewOf())).toEqual({
      rule: 'priceBand',
      limit: '10% around 100.00 USDT',
      actual: `${price} USDT`,
      message: `The price ${price} USDT is more than 10% away from the latest price 100.00 USDT.`,
    })
  })
})

describe('maxPosition of 10 BTC', () => {
  const check = maxPosition({ base: amountOf('10') }, 'account')

  it.each<[string, OrderDraft, Partial<RiskView>]>([
    ['10 from flat', draft('buy', 10), {}],
    ['4 more on 6', draft('buy', 4), held(6000)],
    ['10 short beside a bid for 10', draft('sell', 10), { working: [working('buy', 10, at(90))] }],
    [
      '7 beside 5 of which 2 have filled',
      draft('buy', 5),
      { ...held(2000), working: [working('buy', 5, at(90), 2)] },
    ],
    ['10 beside an exit of 5', draft('buy', 10), { working: [working('buy', 5, { reduceOnly: true })] }],
    [
      '10 beside another instrument',
      draft('buy', 10),
      { working: [working('buy', 9, { symbol: 'ETH/USDT' })] },
    ],
    ['an exit of far too much', draft('sell', 50, { reduceOnly: true }), held(50_000)],
  ])('lets %s pass', (_name, order, view) => {
    expect(check(order, viewOf(view))).toBeUndefined()
  })

  it.each<[string, OrderDraft, Partial<RiskView>, string]>([
    ['10.001 from flat', draft('buy', 10.001), {}, '10.001'],
    ['5 more on 6', draft('buy', 5), held(6000), '11.000'],
    ['5 beside a bid for 6', draft('buy', 5), { working: [working('buy', 6, at(90))] }, '11.000'],
    ['5 beside a stop for 6', draft('buy', 5), { working: [working('buy', 6, stopAt(120))] }, '11.000'],
    [
      '6 long beside 5 long and 10 short of others',
      draft('buy', 6),
      { markets: [{ instrument: MARGIN_BTC, price: undefined, long: 5000, short: 10_000 }] },
      '11.000',
    ],
    // The position might be closed by its stop-loss before this one fills.
    ['11 short from 5 long', draft('sell', 11), held(5000), '11.000'],
    [
      '6 short beside an offer for 5',
      draft('sell', 6),
      { ...held(9000), working: [working('sell', 5, at(110))] },
      '11.000',
    ],
  ])('denies %s', (_name, order, view, worst) => {
    expect(check(order, viewOf(view))).toEqual({
      rule: 'maxPosition',
      limit: '10.000 BTC',
      actual: `${worst} BTC`,
      message: `If everything fills, the position comes to ${worst} BTC, above the 10.000 BTC that may be held.`,
    })
  })
})

describe('maxPosition of a strategy of 10 BTC', () => {
  const check = maxPosition({ base: amountOf('10') }, 'strategy')
  const own = { instrument: MARGIN_BTC, books: ['BTC/USDT#own'], price: undefined, long: 4000, short: 0 }
  const view = viewOf({
    own,
    markets: [{ instrument: MARGIN_BTC, price: undefined, long: 90_000, short: 0 }],
    working: [working('buy', 2, { book: 'BTC/USDT#own' }), working('buy', 50, { book: 'BTC/USDT#other' })],
  })

  it('counts what the strategy itself holds and has on the way', () => {
    expect(check(draft('buy', 4, { book: 'BTC/USDT#own' }), view)).toBeUndefined()
    expect(check(draft('buy', 4.001, { book: 'BTC/USDT#own' }), view)?.actual).toBe('10.001 BTC')
  })
})

describe('maxPosition of 1000 USDT', () => {
  const check = maxPosition({ quote: amountOf('1000') }, 'account')

  it.each<[string, OrderDraft, Partial<RiskView>, string | undefined]>([
    ['10 BTC at 100', draft('buy', 10), {}, undefined],
    ['10.001 BTC at 100', draft('buy', 10.001), {}, '1000.1'],
    // What rests below the market counts at the market: it can be as expensive once the rest has filled.
    ['12 BTC at a limit of 80', draft('buy', 12, at(80)), {}, '1200'],
    ['9 BTC at a stop of 120', draft('buy', 9, stopAt(120)), {}, '1080'],
    ['5 BTC beside 6 held', draft('buy', 5), held(6000), '1100'],
    [
      '2 BTC beside a stop for 7 at 120',
      draft('buy', 2),
      { working: [working('buy', 7, stopAt(120))] },
      '1040',
    ],
    [
      '1 BTC beside a stop for 7 at 120',
      draft('buy', 1),
      { working: [working('buy', 7, stopAt(120))] },
      undefined,
    ],
  ])('%s', (_name, order, view, worth) => {
    expect(check(order, viewOf(view))?.actual).toBe(worth === undefined ? undefined : `${worth} USDT`)
  })
})

describe('maxExposure of 1000 USDT', () => {
  const check = maxExposure(amountOf('1000'))
  /** 3 ETH short at 50, and 4 BTC. */
  const view = viewOf({
    markets: [
      { instrument: MARGIN_BTC, price: ticks(9000), long: 4000, short: 0 },
      { instrument: ETH, price: ticks(5000), long: 0, short: 3000 },
      { instrument: EUR, price: ticks(9000), long: 900_000, short: 0 },
    ],
  })

  it('adds up what every instrument of the quote asset comes to, in whatever direction', () => {
    // 4 BTC × 100 + 3 ETH × 50 = 550: 4.5 BTC more make 1000.
    expect(check(draft('buy', 4.5), view)).toBeUndefined()
    expect(check(draft('buy', 4.501), view)).toEqual({
      rule: 'maxExposure',
      limit: '1000 USDT',
      actual: '1000.1 USDT',
      message:
        "If everything fills, the account's positions come to 1000.1 USDT, above the 1000 USDT that they may come to.",
    })
  })

  it('counts what rests on other instruments', () => {
    const resting = working('sell', 5, { symbol: 'ETH/USDT', ...at(60) })
    // 400 + 150 + 5 × 60 = 850.
    expect(check(draft('buy', 1.5), { ...view, working: [resting] })).toBeUndefined()
    expect(check(draft('buy', 1.501), { ...view, working: [resting] })?.actual).toBe('1000.1 USDT')
  })

  it('lets an exit pass', () => {
    expect(check(draft('sell', 4, { reduceOnly: true }), viewOf(held(900_000)))).toBeUndefined()
  })

  it('cannot judge what is held without a price', () => {
    const markets = [{ instrument: ETH, price: undefined, long: 1, short: 0 }]
    expect(() => check(draft('buy', 1), viewOf({ markets }))).toThrow('There is no price yet')
  })
})

describe('maxOrders of 3 in 60 s', () => {
  const rate = { count: 3, perMs: 60_000 }
  const timesOf = (...noted: readonly number[]) => {
    const times = new OrderTimes(rate.count)
    for (const time of noted) times.note(time)
    return times
  }

  it.each([
    ['the third order', [0, 1000], 2000, true],
    ['a fourth within a minute of the first', [0, 1000, 2000], 59_999, false],
    ['a fourth a minute after the first', [0, 1000, 2000], 60_000, true],
    ['a fifth within a minute of the second', [0, 1000, 2000, 60_000], 60_999, false],
    ['a fifth a minute after the second', [0, 1000, 2000, 60_000], 61_000, true],
    ['a fourth where a late kline led to the latest', [530, 1000, 0], 60_000, true],
    ['a fifth where a late kline led to one within the minute', [530, 0, 40_000, 50_000], 60_000, false],
    ['a fifth where a late kline led to the fourth', [1000, 2000, 3000, 500], 60_500, false],
  ])('%s', (_name, noted, decidedAt, passes) => {
    const refusal = maxOrders(rate, timesOf(...noted))(draft('buy', 1, { decidedAt }), viewOf())
    expect(refusal === undefined).toBe(passes)
    if (!passes)
      expect(refusal).toMatchObject({
        rule: 'maxOrders',
        limit: '3 orders within 60 s',
        actual: '4 orders within 60 s',
        message: 'There were 3 orders within 60 s already; more of them may not open a position.',
      })
  })

  it('never refuses an exit', () => {
    const order = draft('sell', 1, { decidedAt: 3000, reduceOnly: true })
    expect(maxOrders(rate, timesOf(0, 1000, 2000))(order, viewOf())).toBeUndefined()
  })

  it('goes on from a snapshot', () => {
    const times = new OrderTimes(rate.count)
    times.restore(timesOf(0, 1000, 2000, 3000).snapshot())
    expect(times.oldest).toBe(1000)
    times.note(4000)
    expect(times.oldest).toBe(2000)
  })
})

describe('maxWorkingOrders of 2', () => {
  const other = working('sell', 1, { book: 'BTC/USDT#other' })
  const two = viewOf({ working: [working('buy', 1), other] })

  it('refuses a third, and lets an exit pass', () => {
    expect(maxWorkingOrders(2, 'account')(draft('buy', 1), viewOf({ working: [other] }))).toBeUndefined()
    expect(maxWorkingOrders(2, 'account')(draft('sell', 1, { reduceOnly: true }), two)).toBeUndefined()
    expect(maxWorkingOrders(2, 'account')(draft('buy', 1), two)).toEqual({
      rule: 'maxWorkingOrders',
      limit: '2 working orders',
      actual: '3 working orders',
      message: '2 orders work already, and no more than 2 may.',
    })
  })

  it('counts only the own orders for a strategy', () => {
    expect(maxWorkingOrders(2, 'strategy')(draft('buy', 1), two)).toBeUndefined()
    expect(maxWorkingOrders(1, 'strategy')(draft('buy', 1), two)?.rule).toBe('maxWorkingOrders')
  })
})

describe('noSelfCrossing with a reach of 1%', () => {
  const check = noSelfCrossing(rateOf('0.01'))
  const offer = (price: number) => viewOf({ working: [working('sell', 1, at(price))] })
  const bid = (price: number) => viewOf({ working: [working('buy', 1, at(price))] })

  it.each<[string, OrderDraft, RiskView, boolean]>([
    ['a bid below an own offer', draft('buy', 1, at(99.99)), offer(100), true],
    ['a bid at an own offer', draft('buy', 1, at(100)), offer(100), false],
    ['a market buy within reach of an own offer', draft('buy', 1), offer(101), false],
    ['a market buy out of reach of an own offer', draft('buy', 1), offer(101.01), true],
    ['a market sale within reach of an own bid', draft('sell', 1), bid(99), false],
    ['a market sale out of reach of an own bid', draft('sell', 1), bid(98.99), true],
    ['an offer at an own bid', draft('sell', 1, at(95)), bid(95), false],
    ['a stop beyond an own offer: it waits', draft('buy', 1, stopAt(105)), offer(101), true],
    ['a bid at an own bid', draft('buy', 1, at(95)), bid(95), true],
    ['an exit into an own bid', draft('sell', 1, { reduceOnly: true }), bid(100), true],
    [
      'a bid at an own stop',
      draft('buy', 1, at(100)),
      viewOf({ working: [working('sell', 1, stopAt(100))] }),
      true,
    ],
    [
      'a bid at an offer of another instrument',
      draft('buy', 1, at(100)),
      viewOf({ working: [working('sell', 1, { ...at(100), symbol: 'ETH/USDT' })] }),
      true,
    ],
  ])('%s', (_name, order, view, passes) => {
    const refusal = check(order, view)
    expect(refusal?.rule).toBe(passes ? undefined : 'selfCrossing')
  })

  it('names the order that it would meet', () => {
    expect(check(draft('buy', 1, at(100)), offer(100))).toEqual({
      rule: 'selfCrossing',
      limit: 'no trade with ourselves',
      actual: 'our own sell order at 100.00 USDT',
      message: 'The order could trade with our own sell order own at 100.00 USDT.',
    })
  })
})
