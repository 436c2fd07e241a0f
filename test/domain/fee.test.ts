import { describe, expect, it } from 'vitest'
import { feeOf, feeRateOf } from '../../src/domain/fee.ts'
import { amountToText, rateOf } from '../../src/domain/numbers/amount.ts'
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
