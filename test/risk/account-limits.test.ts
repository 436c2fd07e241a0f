import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, stepsOf, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import { balance } from '../../src/risk/checks/balance.ts'
import { leverage } from '../../src/risk/checks/leverage.ts'
import { margin } from '../../src/risk/checks/margin.ts'
import { FUTURES_BTC, futuresWith, MARGIN_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

/** A draft for so many BTC with the price at 100. */
const draft = (side: 'buy' | 'sell', btc: number, fields: Partial<OrderDraft> = {}) =>
  draftOf({ side, quantity: stepsOf(MARGIN_BTC, `${btc}`), ...fields })

describe('leverage of at most 5 on 1000 USDT', () => {
  // 49.975 BTC are worth 4997.5 and cost a fee of 2.49875: 4999.99875 in all.
  it.each<[string, OrderDraft, number]>([
    ['49.975 BTC from flat', draft('buy', 49.975), 0],
    ['49.975 BTC short from flat', draft('sell', 49.975), 0],
    ['19.9 BTC more on 30', draft('buy', 19.9), 30_000],
    ['any sale of what is held', draft('sell', 30), 30_000],
    ['a sale of part of far too much', draft('sell', 1), 900_000],
    ['a buy back of part of far too much', draft('buy', 1), -900_000],
    ['a turn from 30 long to 30 short', draft('sell', 60), 30_000],
    ['what only reduces', draft('sell', 900, { reduceOnly: true }), 0],
  ])('lets %s pass', (_name, order, projectedPosition) => {
    expect(leverage(order, viewOf({ projectedPosition }))).toBeUndefined()
  })

  it.each<[string, OrderDraft, number, string]>([
    ['49.976 BTC from flat', draft('buy', 49.976), 0, '5000.0988'],
    ['49.976 BTC short from flat', draft('sell', 49.976), 0, '5000.0988'],
    ['20 BTC more on 30', draft('buy', 20), 30_000, '5001'],
    ['20 BTC more on 30 short', draft('sell', 20), -30_000, '5001'],
    // The new position is 50, the fee is that of 80.
    ['a turn from 30 long to 50 short', draft('sell', 80), 30_000, '5004'],
    ['a turn from 60 long to 55 short, though it is smaller', draft('sell', 115), 60_000, '5505.75'],
    [
      '30 BTC at a limit of 200',
      draft('buy', 30, { spec: { type: 'limit', price: ticks(20_000) } }),
      0,
      '6003',
    ],
  ])('denies %s', (_name, order, projectedPosition, actual) => {
    expect(leverage(order, viewOf({ projectedPosition }))).toEqual({
      rule: 'leverage',
      limit: '5000 USDT (5x equity)',
      actual: `${actual} USDT`,
      message: `The position would be worth ${actual} USDT with its fee, above the 5000 USDT (5x equity) that the leverage bound allows.`,
    })
  })

  it('may be used to the last unit', () => {
    // One BTC at 100 and its fee come to 100.05: five times 20.01.
    expect(leverage(draft('buy', 1), viewOf({ equity: amountOf('20.01') }))).toBeUndefined()
    expect(leverage(draft('buy', 1), viewOf({ equity: amountOf('20.009999') }))?.rule).toBe('leverage')
  })

  it.each(['0', '-1'])('denies opening anything with an equity of %s, and lets it be closed', equity => {
    const view = viewOf({ equity: amountOf(equity), projectedPosition: 10 })
    expect(leverage(draft('buy', 0.001), view)?.rule).toBe('leverage')
    expect(leverage(draft('sell', 0.01), view)).toBeUndefined()
  })

  it('follows equity and the bound of the instrument', () => {
    const instrument = { ...MARGIN_BTC, leverage: { min: 1, max: 2.5 } }
    const view = viewOf({ instrument, equity: amountOf('100') })
    expect(leverage(draft('buy', 2.5), view)).toMatchObject({
      limit: '250 USDT (2.5x equity)',
      actual: '250.125 USDT',
    })
    expect(leverage(draft('buy', 2.498), view)).toBeUndefined()
  })

  it.each([1, 10, 100])('lets a contract held at a leverage of %i pass where 1 to 100 are allowed', held => {
    const view = viewOf({ instrument: futuresWith({ leverage: held }) })
    expect(leverage(draft('buy', 900), view)).toBeUndefined()
  })

  it.each([0.5, 101])('denies to open a contract held at a leverage of %d, and lets it be closed', held => {
    const view = viewOf({ instrument: futuresWith({ leverage: held }) })
    expect(leverage(draft('buy', 1), view)).toEqual({
      rule: 'leverage',
      limit: '1x to 100x',
      actual: `${held}x`,
      message: `The account holds the contract at a leverage of ${held}x, but the contract allows 1x to 100x.`,
    })
    expect(leverage(draft('sell', 1, { reduceOnly: true }), view)).toBeUndefined()
  })

  it('does not bind a spot account', () => {
    expect(leverage(draft('buy', 900), viewOf({ instrument: SPOT_BTC }))).toBeUndefined()
  })
})

describe('balance', () => {
  const spot = viewOf({
    instrument: SPOT_BTC,
    freeQuote: amountOf('250'),
    ownedBase: amountOf('3'),
  })

  it.each<[string, OrderDraft]>([
    ['a buy for all that is free', draft('buy', 2.5)],
    ['a bid for all that is free', draft('buy', 5, { spec: { type: 'limit', price: ticks(5_000) } })],
    ['a reducing sale of all that is owned', draft('sell', 3, { reduceOnly: true })],
  ])('lets %s pass', (_name, order) => {
    expect(balance(order, spot)).toBeUndefined()
  })

  it.each<[string, OrderDraft, string, string]>([
    ['a buy for more than is free', draft('buy', 2.501), '250 USDT', '250.1 USDT'],
    [
      'a bid for more than is free',
      draft('buy', 2, { spec: { type: 'limit', price: ticks(12_501) } }),
      '250 USDT',
      '250.02 USDT',
    ],
    [
      'a reducing sale of more than is owned',
      draft('sell', 3.001, { reduceOnly: true }),
      '3 BTC',
      '3.001 BTC',
    ],
  ])('denies %s', (_name, order, limit, actual) => {
    expect(balance(order, spot)).toEqual({
      rule: 'balance',
      limit,
      actual,
      message: `The order needs ${actual}, but only ${limit} is free.`,
    })
  })

  it('says up to which price an order may trade, where money is needed for that', () => {
    const instrument = { ...SPOT_BTC, maxSlippageRate: 0.07 }
    expect(balance(draft('buy', 2.5), { ...spot, instrument })).toEqual({
      rule: 'balance',
      limit: '250 USDT',
      actual: '267.5 USDT',
      message:
        'The order needs 267.5 USDT at a price 7% higher, up to which it may trade (execution.maxSlippageRate), but only 250 USDT is free.',
    })
    const limit = { spec: { type: 'limit', price: ticks(12_501) } } as const
    expect(balance(draft('buy', 2, limit), { ...spot, instrument })?.message).toBe(
      'The order needs 250.02 USDT, but only 250 USDT is free.',
    )
  })

  it('denies a sale that closes nothing: a spot account cannot be short, whatever base it owns', () => {
    expect(balance(draft('sell', 1), spot)).toEqual({
      rule: 'balance',
      limit: '0 BTC short',
      actual: '1 BTC short',
      message: 'The order would make the account 1 BTC short, but a spot account cannot be short.',
    })
  })

  it('counts the fee where a spot account pays it in quote', () => {
    const instrument = { ...SPOT_BTC, fees: { ...SPOT_BTC.fees, paidIn: 'quote' as const } }
    expect(balance(draft('buy', 2.5), { ...spot, instrument })).toMatchObject({ actual: '250.25 USDT' })
    expect(balance(draft('buy', 2.497), { ...spot, instrument })).toBeUndefined()
  })

  it('does not bind a margin account, which may borrow', () => {
    expect(balance(draft('sell', 900), viewOf())).toBeUndefined()
    expect(balance(draft('buy', 900), viewOf())).toBeUndefined()
  })
})

describe('margin', () => {
  // 100 contracts of 0.01 BTC at 100.0 are worth 100: a tenth is margin, and the fee is 0.05%.
  const order = draftOf({ quantity: steps(100), referencePrice: ticks(1000) })
  const free = (quote: string) => viewOf({ instrument: FUTURES_BTC, freeQuote: amountOf(quote) })

  it('lets a contract order pass that free money backs, and one that only reduces', () => {
    expect(margin(order, free('10.05'))).toBeUndefined()
    expect(margin({ ...order, reduceOnly: true }, free('0'))).toBeUndefined()
  })

  it('denies one that free money does not back, and says what it needs', () => {
    expect(margin(order, free('10.04'))).toEqual({
      rule: 'margin',
      limit: '10.04 USDT',
      actual: '10.05 USDT',
      message:
        'The order needs 10.05 USDT for its margin at leverage 10 and its fee, but only 10.04 USDT is free.',
    })
  })

  it('binds no account without contracts', () => {
    expect(margin(order, viewOf({ freeQuote: amountOf('0') }))).toBeUndefined()
  })
})
