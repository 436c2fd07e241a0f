import { describe, expect, it } from 'vitest'
import { quantitiesOf } from '../../src/config/instrument-rules.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks, UNLIMITED_QUANTITY } from '../../src/domain/numbers/grid.ts'
import type { PassedCheck } from '../../src/domain/orders/denial.ts'
import type { OrderDraft, OrderSpec } from '../../src/domain/orders/order-request.ts'
import { maximumVolume } from '../../src/risk/checks/max-volume.ts'
import { minimumNotional } from '../../src/risk/checks/min-notional.ts'
import { minimumPrice } from '../../src/risk/checks/min-price.ts'
import { minimumVolume } from '../../src/risk/checks/min-volume.ts'
import { FUTURES_BTC, MARGIN_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

describe('minimumVolume', () => {
  it.each([2, 3, 50_000])('lets %i steps pass', quantity => {
    expect(minimumVolume(draftOf({ quantity: steps(quantity) }), viewOf())).toBeUndefined()
  })

  it('denies less than the instrument takes', () => {
    expect(minimumVolume(draftOf({ quantity: steps(1) }), viewOf())).toEqual({
      rule: 'minimumVolume',
      limit: '0.002 BTC',
      actual: '0.001 BTC',
      message: 'The quantity 0.001 BTC is below the smallest order of BTC/USDT, 0.002 BTC.',
    })
  })

  it('counts contracts, and one of them as one', () => {
    const instrument = { ...FUTURES_BTC, minQuantity: steps(1) }
    expect(minimumVolume(draftOf({ quantity: steps(0) }), viewOf({ instrument }))?.message).toBe(
      `The quantity 0 contracts is below the smallest order of ${instrument.symbol}, 1 contract.`,
    )
  })

  it('denies nothing at all, also where the instrument has no minimum', () => {
    const instrument = { ...MARGIN_BTC, minQuantity: steps(0) }
    expect(minimumVolume(draftOf({ quantity: steps(0) }), viewOf({ instrument }))).toMatchObject({
      limit: '0.000 BTC',
      actual: '0.000 BTC',
    })
    expect(minimumVolume(draftOf({ quantity: steps(1) }), viewOf({ instrument }))).toBeUndefined()
  })
})

describe('maximumVolume', () => {
  it('lets the largest quantity pass', () => {
    expect(maximumVolume(draftOf({ quantity: steps(50_000) }), viewOf())).toBeUndefined()
  })

  it('lets more pass, which leaves in parts, up to 99 of them', () => {
    expect(maximumVolume(draftOf({ quantity: steps(50_001) }), viewOf())).toBeUndefined()
    expect(maximumVolume(draftOf({ quantity: steps(4_950_000) }), viewOf())).toBeUndefined()
    expect(maximumVolume(draftOf({ quantity: steps(4_950_001) }), viewOf())).toEqual({
      rule: 'maximumVolume',
      limit: '50.000 BTC',
      actual: '4950.001 BTC',
      message:
        'The quantity 4950.001 BTC is above the largest order of BTC/USDT, 50.000 BTC, and would need more than 99 parts.',
    })
  })

  it('denies a position of more steps than can be counted exactly, with orders that rest', () => {
    const instrument = { ...MARGIN_BTC, maxQuantity: UNLIMITED_QUANTITY }
    const half = steps(2 ** 52)
    const view = viewOf({
      instrument,
      projectedPosition: half,
      markets: [{ instrument, price: ticks(1), long: half, short: 0 }],
    })
    // 2^52 + 2^52 - 1 steps are 2^53 - 1, which a double counts.
    expect(maximumVolume(draftOf({ quantity: steps(2 ** 52 - 1) }), view)).toBeUndefined()
    expect(maximumVolume(draftOf({ quantity: half }), view)).toEqual({
      rule: 'maximumVolume',
      limit: '9007199254740.991 BTC',
      actual: '9007199254740.992 BTC',
      message:
        'BTC/USDT: A quantity of 9007199254740.992 is more than 9007199254740.991, the most that can be counted exactly in steps of 0.001: make the size smaller, or give the instrument fewer decimals of a quantity (quantityPrecision in the configuration of a backtest).',
    })
    expect(maximumVolume(draftOf({ quantity: half, reduceOnly: true }), view)).toBeUndefined()
    expect(maximumVolume(draftOf({ quantity: half, side: 'sell' }), view)).toBeUndefined()
  })

  it('says that there is no limit where the exchange states none', () => {
    const passed: PassedCheck[] = []
    const instrument = {
      ...MARGIN_BTC,
      ...quantitiesOf({ ...MARGIN_BTC, minQuantity: undefined, maxQuantity: undefined }),
    }
    maximumVolume(draftOf({ quantity: steps(50_001) }), viewOf({ instrument }), check => passed.push(check))
    expect(passed).toEqual([{ rule: 'maximumVolume', limit: 'none', actual: '50.001 BTC' }])
  })

  it.each<[string, Partial<OrderDraft>, Partial<Instrument>]>([
    ['fills whole or not at all', { spec: { type: 'limit', price: ticks(10_000), kind: 'fok' } }, {}],
    ['be below the smallest order, 30.000', {}, { minQuantity: steps(30_000) }],
    ['be worth less than the smallest order, 2501 USDT', {}, { minNotional: amountOf('2501') }],
  ])('denies more where its parts could not be sent: %s', (reason, draft, rules) => {
    // Parts of 25.001 and 25.000, each worth 100 times as much.
    const view = viewOf({ instrument: { ...MARGIN_BTC, ...rules } })
    expect(maximumVolume(draftOf({ quantity: steps(50_001), ...draft }), view)?.message).toContain(reason)
    expect(maximumVolume(draftOf({ quantity: steps(50_000), ...draft }), view)).toBeUndefined()
  })
})

describe('minimumPrice', () => {
  it.each<[string, OrderSpec]>([
    ['a market order', { type: 'market' }],
    ['a limit at the lowest price', { type: 'limit', price: ticks(100) }],
    ['a stop at the lowest price', { type: 'stop', stopPrice: ticks(100) }],
    ['a stop-limit above it', { type: 'stopLimit', stopPrice: ticks(101), price: ticks(100) }],
    ['a trailing stop above it', { type: 'trailingStop', distance: ticks(100), anchor: ticks(1) }],
  ])('lets %s pass', (_name, spec) => {
    expect(minimumPrice(draftOf({ spec }), viewOf())).toBeUndefined()
  })

  it.each<[string, OrderSpec, string]>([
    ['a limit', { type: 'limit', price: ticks(99) }, '0.99'],
    ['a limit of zero', { type: 'limit', price: ticks(0) }, '0.00'],
    ['a negative stop', { type: 'stop', stopPrice: ticks(-5) }, '-0.05'],
    ["a stop-limit's stop", { type: 'stopLimit', stopPrice: ticks(98), price: ticks(200) }, '0.98'],
    ["a stop-limit's limit", { type: 'stopLimit', stopPrice: ticks(200), price: ticks(97) }, '0.97'],
    [
      'the activation of a trailing stop',
      { type: 'trailingStop', callbackRate: 0.1, anchor: ticks(900), activationPrice: ticks(96) },
      '0.96',
    ],
    ['a trailing distance', { type: 'trailingStop', distance: ticks(0), anchor: ticks(900) }, '0.00'],
  ])('denies %s below the lowest price', (_name, spec, actual) => {
    expect(minimumPrice(draftOf({ spec }), viewOf())).toEqual({
      rule: 'minimumPrice',
      limit: '1.00 USDT',
      actual: `${actual} USDT`,
      message: `The price ${actual} USDT is below the lowest price of BTC/USDT, 1.00 USDT.`,
    })
  })

  it('denies a price of zero also where the instrument has no minimum', () => {
    const instrument = { ...MARGIN_BTC, minPrice: ticks(0) }
    const spec: OrderSpec = { type: 'limit', price: ticks(0) }
    expect(minimumPrice(draftOf({ spec }), viewOf({ instrument }))).toMatchObject({ actual: '0.00 USDT' })
  })
})

describe('minimumNotional', () => {
  it.each<[string, OrderSpec, number]>([
    ['0.1 BTC at market at 100', { type: 'market' }, 100],
    ['0.2 BTC at a limit of 50', { type: 'limit', price: ticks(5_000) }, 200],
    ['0.05 BTC at a stop of 200', { type: 'stop', stopPrice: ticks(20_000) }, 50],
  ])('lets %s pass, exactly the smallest money', (_name, spec, quantity) => {
    expect(minimumNotional(draftOf({ spec, quantity: steps(quantity) }), viewOf())).toBeUndefined()
  })

  it.each<[string, OrderSpec, number, string]>([
    ['0.099 BTC at market at 100', { type: 'market' }, 99, '9.9'],
    ['0.199 BTC at a limit of 50', { type: 'limit', price: ticks(5_000) }, 199, '9.95'],
    ['0.1 BTC at a limit a cent lower', { type: 'limit', price: ticks(9_999) }, 100, '9.999'],
  ])('denies %s', (_name, spec, quantity, actual) => {
    expect(minimumNotional(draftOf({ spec, quantity: steps(quantity) }), viewOf())).toEqual({
      rule: 'minimumNotional',
      limit: '10 USDT',
      actual: `${actual} USDT`,
      message: `The order is worth ${actual} USDT, below the smallest order of BTC/USDT, 10 USDT.`,
    })
  })
})
