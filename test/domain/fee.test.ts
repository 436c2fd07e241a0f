import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { feeOf, feeRateOf } from '../../src/domain/fee.ts'
import { amountToText, type Rate, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Liquidity } from '../../src/domain/orders/fill.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import { MARGIN_BTC, SPOT_BTC } from './instruments.ts'

describe('feeOf 0.123 BTC at 42000.05', () => {
  // The notional is 0.123 × 42000.05 = 5166.00615 USDT.
  it.each([
    ['margin', 'buy', 'taker', '2.583003075', 'USDT'],
    ['margin', 'sell', 'taker', '2.583003075', 'USDT'],
    ['margin', 'buy', 'maker', '1.03320123', 'USDT'],
    ['spot', 'buy', 'taker', '0.000123', 'BTC'],
    ['spot', 'buy', 'maker', '0.0000984', 'BTC'],
    ['spot', 'sell', 'taker', '5.16600615', 'USDT'],
    ['spot', 'sell', 'maker', '4.13280492', 'USDT'],
  ] as const)('on a %s account for a %s as %s is %s %s', (account, side, liquidity, fee, asset) => {
    const instrument = account === 'spot' ? SPOT_BTC : MARGIN_BTC
    const paid = feeOf(instrument, side, ticks(4_200_005), steps(123), liquidity)
    expect(amountToText(paid.fee)).toBe(fee)
    expect(paid.feeAsset).toBe(asset)
  })

  it('is a rebate where the maker rate is negative', () => {
    const instrument = { ...MARGIN_BTC, fees: { ...MARGIN_BTC.fees, maker: rateOf('-0.0001') } }
    expect(amountToText(feeOf(instrument, 'buy', ticks(4_200_005), steps(123), 'maker').fee)).toBe(
      '-0.516600615',
    )
  })

  it.each([
    ['0.000000000000000333', 1, '0.000000000000000001'],
    ['0.000000000000000333', 10, '0.000000000000000004'],
    ['0.0000000000000003', 10, '0.000000000000000003'],
    ['-0.000000000000000333', 10, '-0.000000000000000003'],
  ])('is rounded up below 10^-18: %s of %i steps is %s', (rate, size, expected) => {
    const instrument = { ...SPOT_BTC, fees: { ...SPOT_BTC.fees, taker: rateOf(rate) } }
    const { fee } = feeOf(instrument, 'buy', ticks(1), steps(size), 'taker')
    expect(amountToText(fee)).toBe(expected)
  })
})

describe('a fee', () => {
  /** Whole numbers of every size up to 2^53. */
  const sized = (most: number) =>
    fc
      .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 52 }))
      .map(([value, bits]) => Math.trunc(value / 2 ** bits) % most)
  /** Rates of every number of decimals, up to 100% and down to -100%. */
  const rates = fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 12 }))
    .map(([units, decimals]) => (BigInt(units) * 10n ** BigInt(decimals)) as Rate)

  it('has the digits of bigints, rounded up at 10^-18, whatever fits a double', () => {
    fc.assert(
      fc.property(
        sized(2 ** 53),
        sized(2 ** 53),
        rates,
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
        (price, size, taker, pricePrecision, quantityPrecision) => {
          const grid = { pricePrecision, quantityPrecision }
          const spot = { ...SPOT_BTC, ...grid, fees: { ...SPOT_BTC.fees, taker } }
          const rounded = (worth: bigint, decimals: number) => {
            const share = worth * taker * 10n ** BigInt(18 - decimals)
            const whole = share / 10n ** 18n
            return share > 0n && whole * 10n ** 18n !== share ? whole + 1n : whole
          }
          const feeOn = (side: Side) => feeOf(spot, side, ticks(price), steps(size), 'taker').fee
          expect(feeOn('buy')).toBe(rounded(BigInt(size), quantityPrecision))
          expect(feeOn('sell')).toBe(
            rounded(BigInt(price) * BigInt(size), pricePrecision + quantityPrecision),
          )
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('feeRateOf', () => {
  it.each<[Liquidity, string]>([
    ['maker', '0.0002'],
    ['taker', '0.0005'],
  ])('of a %s is %s', (liquidity, rate) => {
    expect(amountToText(feeRateOf(MARGIN_BTC, liquidity))).toBe(rate)
  })

  it('does not depend on the side', () => {
    const fees = (['buy', 'sell'] satisfies Side[]).map(
      side => feeOf(MARGIN_BTC, side, ticks(100), steps(1), 'maker').fee,
    )
    expect(fees[0]).toBe(fees[1])
  })
})
