import { Decimal } from 'decimal.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderSpec } from '../../../src/domain/orders/order-request.ts'
import { mustBeTakenBack, placementOf, sentAs } from '../../../src/execution/gateway/placement.ts'
import { FUTURES_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const LIMIT = { type: 'limit', price: ticks(9_900) } as const
const STOP: OrderSpec = { type: 'stop', stopPrice: ticks(10_500) }
const STOP_LIMIT: OrderSpec = { type: 'stopLimit', stopPrice: ticks(10_500), price: ticks(10_600) }
const TRAILING: OrderSpec = { type: 'trailingStop', distance: ticks(100), anchor: ticks(10_000) }
const TOUCH: OrderSpec = { type: 'ifTouched', triggerPrice: ticks(9_500) }
const takeProfit = { purpose: 'takeProfit' } as const

/** Decided at 100.00, one BTC on a grid of 0.001; slippage of at most 0.5%. */
const TABLE: readonly (readonly [string, Partial<OrderDraft>, object])[] = [
  ['a market buy', { side: 'buy' }, { type: 'ioc', side: 'buy', price: '100.50' }],
  ['a market sell', { side: 'sell' }, { type: 'market', side: 'sell' }],
  ['a limit buy', { side: 'buy', spec: LIMIT }, { type: 'limit', side: 'buy', price: '99.00' }],
  ['a limit sell', { side: 'sell', spec: LIMIT }, { type: 'limit', side: 'sell', price: '99.00' }],
  [
    'a post-only buy',
    { side: 'buy', spec: { ...LIMIT, kind: 'postOnly' } },
    { type: 'postOnly', side: 'buy', price: '99.00' },
  ],
  [
    'an IOC buy',
    { side: 'buy', spec: { ...LIMIT, kind: 'ioc' } },
    { type: 'ioc', side: 'buy', price: '99.00' },
  ],
  [
    'a FOK sell',
    { side: 'sell', spec: { ...LIMIT, kind: 'fok' } },
    { type: 'fok', side: 'sell', price: '99.00' },
  ],
  // Capped from the price that was touched: 95.00 × 1.005 = 95.475.
  ['a touched buy', { side: 'buy', spec: TOUCH }, { type: 'ioc', side: 'buy', price: '95.47' }],
  ['a touched sell', { side: 'sell', spec: TOUCH }, { type: 'market', side: 'sell' }],
  [
    'a take-profit sell',
    { side: 'sell', spec: LIMIT, ...takeProfit },
    { type: 'ioc', side: 'sell', price: '99.00' },
  ],
  [
    'a take-profit buy',
    { side: 'buy', spec: LIMIT, ...takeProfit },
    { type: 'ioc', side: 'buy', price: '99.00' },
  ],
  // Capped from the stop price, not from the decision: 105.00 × 1.005 = 105.525.
  ['a triggered stop buy', { side: 'buy', spec: STOP }, { type: 'ioc', side: 'buy', price: '105.52' }],
  ['a triggered stop sell', { side: 'sell', spec: STOP }, { type: 'market', side: 'sell' }],
  [
    'a triggered stop-limit buy',
    { side: 'buy', spec: STOP_LIMIT },
    { type: 'limit', side: 'buy', price: '106.00' },
  ],
  [
    'a triggered stop-limit sell',
    { side: 'sell', spec: STOP_LIMIT },
    { type: 'limit', side: 'sell', price: '106.00' },
  ],
  ['a triggered trailing stop', { side: 'sell', spec: TRAILING }, { type: 'market', side: 'sell' }],
]

describe('placementOf', () => {
  it.each(TABLE)('sends %s', (_name, fields, expected) => {
    expect(placementOf(SPOT_BTC, requestOf(fields), 0.005)).toEqual({
      clientOrderId: 'order-1',
      symbol: 'BTC/USDT',
      quantity: '1.000',
      ...expected,
    })
  })

  it('rounds the cap of a market buy down, so that it never pays more than allowed', () => {
    const request = requestOf({ referencePrice: ticks(9_999) })
    // 99.99 × 1.005 = 100.48995
    expect(placementOf(SPOT_BTC, request, 0.005)).toMatchObject({ price: '100.48' })
  })

  it('rounds the cap of a sell that opens contracts up, so that it never sells for less than allowed', () => {
    const request = requestOf({ side: 'sell', referencePrice: ticks(999), quantity: steps(10) })
    // 99.9 × 0.995 = 99.4005, on a grid of 0.1
    expect(placementOf(FUTURES_BTC, request, 0.005)).toMatchObject({
      ...{ type: 'ioc', side: 'sell', quantity: '10', price: '99.5' },
    })
  })

  it.each(['buy', 'sell'] as const)('never lets a %s that opens contracts pass its slippage', side => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 10_000_000 }),
        fc.integer({ min: 0, max: 500 }),
        (reference, basisPoints) => {
          const request = requestOf({ side, referencePrice: ticks(reference), quantity: steps(10) })
          const placement = placementOf(FUTURES_BTC, request, basisPoints / 10_000)
          const cap = 'price' in placement ? new Decimal(placement.price).times(10) : undefined
          const allowed = new Decimal(reference).times(10_000 + (side === 'buy' ? basisPoints : -basisPoints))
          const beyond = cap
            ?.times(10_000)
            .minus(allowed)
            .times(side === 'buy' ? 1 : -1)
          // Within the bound, and less than a tick away from it.
          expect(beyond?.lte(0)).toBe(true)
          expect(beyond?.gt(-10_000)).toBe(true)
        },
      ),
    )
  })

  it('bounds what buys back a short of a margin account, and nothing else, from the dearer of trigger and latest price', () => {
    const request = requestOf({ side: 'buy', spec: STOP, reduceOnly: true, referencePrice: ticks(11_000) })
    // 105.00 and 110.00 × 1.005 = 105.525 and 110.55
    expect(placementOf(SPOT_BTC, request, 0.005)).toMatchObject({ type: 'ioc', price: '105.52' })
    expect(placementOf(OWN_FUNDS_BTC, request, 0.005)).toMatchObject({ type: 'ioc', price: '110.55' })
    const entry = { ...request, reduceOnly: false }
    expect(placementOf(OWN_FUNDS_BTC, entry, 0.005)).toMatchObject({ type: 'ioc', price: '105.52' })
  })

  it('caps a market buy at the price of its decision where no slippage is allowed', () => {
    expect(placementOf(SPOT_BTC, requestOf(), 0)).toMatchObject({ type: 'ioc', price: '100.00' })
  })
})

describe('on a host without IOC orders', () => {
  const instrument = { ...SPOT_BTC, iocRests: true }
  const market = requestOf({ side: 'buy' })
  const resting = requestOf({ side: 'buy', spec: LIMIT })

  it('an immediate order is a limit order at the same price, whose rest is taken back', () => {
    expect(placementOf(instrument, market, 0.005)).toMatchObject({ type: 'limit', price: '100.50' })
    expect(mustBeTakenBack(instrument, market, 0.005)).toBe(true)
    expect(mustBeTakenBack(SPOT_BTC, market, 0.005)).toBe(false)
  })

  it('others stay as they are', () => {
    expect(placementOf(instrument, resting, 0.005)).toMatchObject({ type: 'limit', price: '99.00' })
    expect(mustBeTakenBack(instrument, resting, 0.005)).toBe(false)
    expect(mustBeTakenBack(instrument, requestOf({ side: 'sell' }), 0.005)).toBe(false)
  })
})

describe('sentAs', () => {
  it('is the quantity and, where there is one, the price as text', () => {
    expect(sentAs(placementOf(SPOT_BTC, requestOf({ side: 'sell' }), 0))).toEqual({ quantity: '1.000' })
    expect(sentAs(placementOf(SPOT_BTC, requestOf({ spec: LIMIT }), 0))).toEqual({
      quantity: '1.000',
      price: '99.00',
    })
  })

  it('is nothing of an order that counts quote, which is none of ours', () => {
    const placement = { symbol: 'BTC/USDT', type: 'market', side: 'buy', quoteAmount: '5' } as const
    expect(() => sentAs(placement)).toThrow('An order of ours counts in its own unit.')
  })
})
