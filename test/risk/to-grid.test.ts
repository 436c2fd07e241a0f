import { describe, expect, it } from 'vitest'
import { amountOf, ZERO } from '../../src/domain/numbers/amount.ts'
import type { OrderPlan } from '../../src/domain/orders/order-intent.ts'
import type { OrderSpec } from '../../src/domain/orders/order-request.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import type { TrailingStopSpec } from '../../src/domain/orders/trailing-stop.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import { toGrid } from '../../src/risk/to-grid.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'
import { intentOf } from './risk-parts.ts'

/** The fields of a trailing stop by distance or by callback rate. */
type AnyTrailing = Extract<TrailingStopSpec, { distance: unknown }> &
  Extract<TrailingStopSpec, { callbackRate: unknown }>

/** What a test says of a spec: ticks as plain numbers. */
type Expected = {
  readonly [Field in
    | keyof OrderSpec
    | 'price'
    | 'stopPrice'
    | 'triggerPrice'
    | 'kind'
    | keyof AnyTrailing]?: unknown
}

describe('toGrid', () => {
  it.each<[Side, OrderPlan, Expected]>([
    ['buy', { type: 'market' }, { type: 'market' }],
    ['sell', { type: 'market' }, { type: 'market' }],
    // A limit never becomes worse than asked.
    ['buy', { type: 'limit', price: 100.009 }, { type: 'limit', price: 10_000 }],
    ['sell', { type: 'limit', price: 100.001 }, { type: 'limit', price: 10_001 }],
    // A stop never triggers earlier than asked.
    ['buy', { type: 'stop', stopPrice: 100.001 }, { type: 'stop', stopPrice: 10_001 }],
    ['sell', { type: 'stop', stopPrice: 100.009 }, { type: 'stop', stopPrice: 10_000 }],
    [
      'buy',
      { type: 'stopLimit', stopPrice: 100.001, price: 101.009 },
      { type: 'stopLimit', stopPrice: 10_001, price: 10_100 },
    ],
    [
      'sell',
      { type: 'stopLimit', stopPrice: 100.009, price: 99.001 },
      { type: 'stopLimit', stopPrice: 10_000, price: 9_901 },
    ],
    [
      'sell',
      { type: 'trailingStop', distance: 5.004, anchor: 100.006 },
      { type: 'trailingStop', distance: 501, anchor: 10_001 }, // never nearer than asked
    ],
    // A sell that is to trade later starts higher, a buy lower.
    [
      'sell',
      { type: 'trailingStop', callbackRate: 0.021, anchor: 100, activationPrice: 105.001 },
      { type: 'trailingStop', callbackRate: 0.021, anchor: 10_000, activationPrice: 10_501 },
    ],
    [
      'buy',
      { type: 'trailingStop', distance: 5, anchor: 100, activationPrice: 95.009 },
      { type: 'trailingStop', distance: 500, anchor: 10_000, activationPrice: 9_500 },
    ],
    // A touch fires at a price that is better than the latest one, as a limit does.
    ['buy', { type: 'ifTouched', triggerPrice: 95.009 }, { type: 'ifTouched', triggerPrice: 9_500 }],
    ['sell', { type: 'ifTouched', triggerPrice: 105.001 }, { type: 'ifTouched', triggerPrice: 10_501 }],
    [
      'buy',
      { type: 'limit', price: 100, postOnly: true },
      { type: 'limit', price: 10_000, kind: 'postOnly' },
    ],
    ['buy', { type: 'limit', price: 100, timeInForce: 'IOC' }, { type: 'limit', price: 10_000, kind: 'ioc' }],
    ['buy', { type: 'limit', price: 100, timeInForce: 'FOK' }, { type: 'limit', price: 10_000, kind: 'fok' }],
    [
      'buy',
      { type: 'limit', price: 100, timeInForce: 'GTC', postOnly: false },
      { type: 'limit', price: 10_000 },
    ],
    // Already on the grid but for the noise of doubles.
    ['sell', { type: 'limit', price: 100 * 1.1 }, { type: 'limit', price: 11_000 }],
    ['buy', { type: 'limit', price: 0.29 * 100 }, { type: 'limit', price: 2_900 }],
  ])('puts a %s of %o at %o', (side, plan, spec) => {
    expect(toGrid(MARGIN_BTC, intentOf({ side, plan })).spec).toEqual(spec)
  })

  it.each([
    ['1', 1000],
    ['1.000999999', 1000],
    ['0.000999999', 0],
    // On the grid but for the noise of doubles: 0.7 - 0.4, and a third of 0.003.
    ['0.29999999999999993', 300],
    ['0.000999999999999999', 1],
    ['-1', 0],
  ])('cuts a quantity of %s down to %i steps, for either side', (quantity, steps) => {
    expect(toGrid(MARGIN_BTC, intentOf({ quantity: amountOf(quantity) })).quantity).toBe(steps)
    expect(toGrid(MARGIN_BTC, intentOf({ side: 'sell', quantity: amountOf(quantity) })).quantity).toBe(steps)
  })

  it('keeps everything else of the intent', () => {
    const intent = intentOf({
      purpose: 'stopLoss',
      reduceOnly: true,
      protects: 'entry-1',
      tag: 'x',
      protection: { stopLoss: 90 },
    })
    const { plan: _plan, quantity: _quantity, ...rest } = intent
    expect(toGrid(MARGIN_BTC, intent)).toEqual({ ...rest, spec: { type: 'market' }, quantity: 1000 })
  })

  it('refuses a price that is no number', () => {
    const plan: OrderPlan = { type: 'limit', price: Number.NaN }
    expect(() => toGrid(MARGIN_BTC, intentOf({ plan, quantity: ZERO }))).toThrow(InvariantError)
  })
})
