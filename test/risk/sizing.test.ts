import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeOf } from '../../src/domain/fee.ts'
import {
  type Amount,
  amountFromNumber,
  amountOf,
  amountToText,
  rateFromNumber,
  rateOf,
  smaller,
  times,
  ZERO,
} from '../../src/domain/numbers/amount.ts'
import {
  NO_STEPS,
  notionalOf,
  roundToSteps,
  type Steps,
  steps,
  stepsWithin,
  type Ticks,
  ticks,
} from '../../src/domain/numbers/grid.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import type { Size } from '../../src/domain/signal.ts'
import { leverage } from '../../src/risk/checks/leverage.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import { sizeToBase, sizeToSteps } from '../../src/risk/sizing.ts'
import { FUTURES_BTC, MARGIN_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { draftOf, viewOf } from './risk-parts.ts'

const MARGIN = viewOf()
const SPOT = viewOf({ instrument: SPOT_BTC, freeQuote: amountOf('300') })

describe('sizeToBase with 1000 USDT of equity and the price at 100', () => {
  it.each<[string, Size, Side, RiskView, string]>([
    ['base units as they are', { base: 1.5 }, 'buy', MARGIN, '1.5'],
    ['a tenth as a tenth', { base: 0.1 }, 'buy', MARGIN, '0.1'],
    ['quote at the price', { quote: 250 }, 'buy', MARGIN, '2.5'],
    ['quote at the price, free or not', { quote: 500 }, 'buy', SPOT, '5'],
    [
      'half of equity, fee included: 500 / 100.05',
      { equityFraction: 0.5 },
      'buy',
      MARGIN,
      '4.997501249375312343',
    ],
    ['the same for a short', { equityFraction: 0.5 }, 'sell', MARGIN, '4.997501249375312343'],
    ['twice the equity', { equityFraction: 2 }, 'buy', MARGIN, '19.990004997501249375'],
    ['on spot the equity that is free', { equityFraction: 0.5 }, 'buy', SPOT, '3'],
    [
      'on spot all that is free in whole steps: 333.33 / 100',
      { equityFraction: 0.33333 },
      'buy',
      viewOf({ instrument: SPOT_BTC, freeQuote: amountOf('333.33') }),
      '3.333',
    ],
    ['on spot a fifth, whose fee comes off the base', { equityFraction: 0.2 }, 'buy', SPOT, '2'],
    ['on spot a sale, whatever quote is free', { equityFraction: 0.5 }, 'sell', SPOT, '5'],
  ])('takes %s', (_name, size, side, view, base) => {
    expect(amountToText(sizeToBase(size, { side, price: ticks(10_000) }, view) ?? amountOf('-1'))).toBe(base)
  })

  it.each([
    [9_800, '5'],
    [10_200, '5'],
    [9_700, '3.333333333333333333'],
  ])('risks 1%% of equity to a stop at %d ticks with %s BTC', (stop, base) => {
    const input = { side: 'buy', price: ticks(10_000), stopPrice: ticks(stop) } as const
    expect(amountToText(sizeToBase({ riskFraction: 0.01 }, input, MARGIN) ?? amountOf('-1'))).toBe(base)
  })

  it.each<[string, Size, Side, RiskView, string]>([
    // 10 ÷ 0.5 = 20 base are 2,000 of quote.
    [
      'a fraction of equity, fee included',
      { riskFraction: 0.01, maxEquityFraction: 0.5 },
      'buy',
      MARGIN,
      '4.997501249375312343',
    ],
    ['nothing that is smaller', { riskFraction: 0.001, maxEquityFraction: 0.95 }, 'buy', MARGIN, '2'],
    ['what is free on spot', { riskFraction: 0.01, maxEquityFraction: 0.95 }, 'buy', SPOT, '3'],
    [
      'a fraction above the equity',
      { riskFraction: 0.01, maxEquityFraction: 1.5 },
      'sell',
      MARGIN,
      '14.992503748125937031',
    ],
  ])('caps a size by risk to %s', (_name, size, side, view, base) => {
    const input = { side, price: ticks(10_000), stopPrice: ticks(side === 'buy' ? 9_950 : 10_050) }
    expect(amountToText(sizeToBase(size, input, view) ?? amountOf('-1'))).toBe(base)
  })

  it.each([undefined, ticks(10_000)])('cannot risk a fraction with a stop at %s', stopPrice => {
    const input = { side: 'buy', price: ticks(10_000), stopPrice } as const
    expect(sizeToBase({ riskFraction: 0.01 }, input, MARGIN)).toBeUndefined()
  })

  it('finds nothing to buy without equity', () => {
    const broke = viewOf({ equity: amountOf('-5') })
    const base = sizeToBase({ equityFraction: 1 }, { side: 'buy', price: ticks(10_000) }, broke)
    expect(stepsWithin(MARGIN_BTC, base ?? amountOf('1'))).toBe(0)
  })
})

const anyMoney = fc.bigInt({ min: 0n, max: 10n ** 7n * 10n ** 8n }).map(units => amountOf(`${units}e-8`))
const anyPrice = fc.integer({ min: 1, max: 20_000_000 }).map(ticks)
const anyFraction = fc.integer({ min: 1, max: 50_000 }).map(share => share / 10_000)
const anyAccount = fc
  .record({
    equity: anyMoney,
    freeQuote: anyMoney,
    isSpot: fc.boolean(),
    feePoints: fc.integer({ min: 0, max: 200 }),
  })
  .map(({ equity, freeQuote, isSpot, feePoints }) => {
    const instrument = isSpot ? SPOT_BTC : MARGIN_BTC
    const fees = { ...instrument.fees, taker: rateOf(feePoints / 10_000) }
    return viewOf({ equity, freeQuote, instrument: { ...instrument, fees } })
  })

/** What buying so many steps takes from the quote balance. */
function costOf({ instrument }: RiskView, price: Ticks, quantity: Steps): bigint {
  const { fee, feeAsset } = feeOf(instrument, 'buy', price, quantity, 'taker')
  return notionalOf(instrument, price, quantity) + (feeAsset === instrument.quote ? fee : 0n)
}

describe('a size on the grid', () => {
  it('by equity fraction is the largest that the fraction pays for, and on spot what is free', () => {
    fc.assert(
      fc.property(anyAccount, anyPrice, anyFraction, (view, price, equityFraction) => {
        const base = sizeToBase({ equityFraction }, { side: 'buy', price }, view) ?? amountOf('-1')
        const quantity = stepsWithin(view.instrument, base)
        const wanted = times(view.equity, rateOf(equityFraction))
        const money = view.instrument.accountType === 'spot' ? smaller(wanted, view.freeQuote) : wanted
        expect(costOf(view, price, quantity)).toBeLessThanOrEqual(money)
        expect(costOf(view, price, steps(quantity + 1))).toBeGreaterThan(money)
      }),
    )
  })

  it('by equity fraction up to the leverage bound is never denied for leverage', () => {
    fc.assert(
      fc.property(anyMoney, anyPrice, anyFraction, (equity, price, equityFraction) => {
        const view = viewOf({ equity })
        const base = sizeToBase({ equityFraction }, { side: 'sell', price }, view) ?? amountOf('-1')
        const quantity = stepsWithin(MARGIN_BTC, base)
        expect(leverage(draftOf({ side: 'sell', quantity, referencePrice: price }), view)).toBeUndefined()
      }),
    )
  })

  it('by risk fraction loses at the stop at most that fraction, and one step more would lose more', () => {
    fc.assert(
      fc.property(anyAccount, anyPrice, anyPrice, anyFraction, (view, price, stopPrice, riskFraction) => {
        fc.pre(price !== stopPrice)
        const base = sizeToBase({ riskFraction }, { side: 'buy', price, stopPrice }, view) ?? amountOf('-1')
        const quantity = stepsWithin(view.instrument, base)
        const lossOf = (count: Steps) =>
          notionalOf(view.instrument, ticks(Math.abs(price - stopPrice)), count)
        const money = times(view.equity, rateOf(riskFraction))
        expect(lossOf(quantity)).toBeLessThanOrEqual(money)
        expect(lossOf(steps(quantity + 1))).toBeGreaterThan(money)
      }),
    )
  })

  it('by quote is worth at most that money', () => {
    fc.assert(
      fc.property(anyPrice, anyFraction, (price, quote) => {
        const base = sizeToBase({ quote }, { side: 'buy', price }, MARGIN) ?? amountOf('-1')
        const worthOf = (count: Steps) => notionalOf(MARGIN_BTC, price, count)
        const quantity = stepsWithin(MARGIN_BTC, base)
        expect(worthOf(quantity)).toBeLessThanOrEqual(amountFromNumber(quote))
        expect(worthOf(steps(quantity + 1))).toBeGreaterThan(amountFromNumber(quote))
      }),
    )
  })
})

/** Accounts whose fraction of equity pays for about so many steps: exactly, a unit or a 10^-9 of a step more or less, or any part. */
const anyEquity = fc
  .record({
    pricePrecision: fc.integer({ min: 0, max: 8 }),
    quantityPrecision: fc.integer({ min: 0, max: 10 }),
    price: fc.tuple(fc.integer({ min: 1, max: 2 ** 52 }), fc.integer({ min: 0, max: 51 })),
    quantity: fc.tuple(fc.integer({ min: 0, max: 2 ** 52 }), fc.integer({ min: 0, max: 52 })),
    part: fc.oneof(fc.constantFrom(0, 1e-9, -1e-9, 4e-9), fc.double({ min: -0.5, max: 0.5, noNaN: true })),
    offset: fc.bigInt({ min: -2n, max: 2n }),
    fraction: fc.oneof(
      fc.constantFrom(1, 0.5, 0.01, 1e-9, 1 / 3),
      fc.double({ min: 0, max: 3, noNaN: true }),
    ),
    taker: fc.constantFrom('0', '0.001', '0.00075', '0.123456789012345678', '-0.0001'),
    free: fc.constantFrom('none', 'half', 'as much', 'a unit more', 'plenty'),
    kind: fc.constantFrom(SPOT_BTC, MARGIN_BTC, FUTURES_BTC, OWN_FUNDS_BTC),
    side: fc.constantFrom<Side>('buy', 'sell'),
  })
  .map(({ kind, pricePrecision, quantityPrecision, part, offset, free, taker, side, fraction, ...size }) => {
    const [price, quantity] = [size.price, size.quantity].map(([value, bits]) =>
      Math.floor(value / 2 ** bits),
    )
    const instrument = {
      ...kind,
      pricePrecision,
      quantityPrecision,
      fees: { ...kind.fees, taker: rateOf(taker) },
    }
    const { contractSize = 10n ** BigInt(18 - quantityPrecision) } = instrument
    const at = ticks(Math.max(1, price ?? 1))
    const steps = BigInt(quantity ?? 0) * 10n ** 18n + BigInt(Math.round(part * 1e18))
    const money = (BigInt(at) * steps * contractSize) / 10n ** BigInt(18 + pricePrecision)
    const equity = ((fraction < 1e-12 ? money : (money * 10n ** 18n) / rateFromNumber(fraction)) +
      offset) as Amount
    const wanted = times(equity, rateFromNumber(fraction))
    const freeQuote = {
      none: ZERO,
      half: wanted / 2n,
      'as much': wanted,
      'a unit more': wanted + 1n,
      plenty: wanted * 3n + 9n,
    }[free]
    const view = viewOf({ instrument, equity, freeQuote: freeQuote as Amount })
    return { input: { side, price: at }, size: { equityFraction: fraction }, view }
  })

describe('the steps of a size', () => {
  it('are those of its exact base, wherever that lies between two steps', () => {
    fc.assert(
      fc.property(anyEquity, ({ size, input, view }) => {
        const outcome = (stepsOf: () => Steps) => {
          try {
            return stepsOf()
          } catch (error) {
            return String(error)
          }
        }
        const expected = outcome(() => roundToSteps(view.instrument, sizeToBase(size, input, view) ?? ZERO))
        expect(outcome(() => sizeToSteps(size, input, view) ?? NO_STEPS)).toBe(expected)
      }),
      { numRuns: 10_000 },
    )
  })

  it('are unknown of a fraction at risk without a stop', () => {
    expect(sizeToSteps({ riskFraction: 0.01 }, { side: 'buy', price: ticks(10_000) }, MARGIN)).toBeUndefined()
  })
})
