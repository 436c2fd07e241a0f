import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import { fitAtSlippage, largestFit } from '../../src/risk/largest-fit.ts'
import type { SizedDraft } from '../../src/risk/risk-check.ts'
import type { RiskView } from '../../src/risk/risk-view.ts'
import { FUTURES_BTC, futuresWith, MARGIN_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { viewOf } from './risk-parts.ts'

/** Thousandths of base, of 5 wanted at market at 100, where so much quote is free. */
function fitOf(
  instrument: Instrument,
  free: string,
  draft: Partial<SizedDraft> = {},
  view: Partial<RiskView> = {},
) {
  const wanted = {
    ...({ side: 'buy', spec: { type: 'market' }, quantity: steps(5000) } as const),
    ...{ reduceOnly: false, referencePrice: ticks(10_000) },
    ...draft,
  }
  return largestFit(wanted, viewOf({ instrument, freeQuote: amountOf(free), ...view }))
}

describe('the largest part of an order', () => {
  // The smallest order is worth 10: 0.1 BTC. Fees are taken from what is bought.
  it.each([
    ['all of it where free quote pays for it', '500', 5000],
    ['a step less where free quote pays for a step less', '499.999', 4999],
    ['what free quote pays for', '300', 3000],
    ['the smallest order that free quote pays for', '10', 100],
    ['all of it where free quote pays for no order, which risk denies', '9.99', 5000],
    ['all of it without any free quote, which risk denies', '0', 5000],
    ['all of it where free quote is negative, which risk denies', '-5', 5000],
  ])('on spot is %s', (_name, free, fitting) => {
    expect(fitOf(SPOT_BTC, free)).toBe(fitting)
    expect(fitOf(OWN_FUNDS_BTC, free)).toBe(fitting)
  })

  it('on spot has the fee on top where that is taken from quote', () => {
    const instrument = { ...SPOT_BTC, fees: { ...SPOT_BTC.fees, paidIn: 'quote' as const } }
    // 300 ÷ 100.1 = 2.997…
    expect(fitOf(instrument, '300')).toBe(2997)
  })

  it('is all of it without any free quote also where the exchange takes every order', () => {
    const instrument = { ...SPOT_BTC, minQuantity: steps(0), minNotional: amountOf('0') }
    expect(fitOf(instrument, '0')).toBe(5000)
  })

  it('counts with the price of the order, on the grid', () => {
    expect(fitOf(SPOT_BTC, '300', { spec: { type: 'limit', price: ticks(7_500) } })).toBe(4000)
    expect(fitOf(SPOT_BTC, '300', { spec: { type: 'stop', stopPrice: ticks(12_000) } })).toBe(2500)
  })

  it('of a short is what an account of own funds owns, and nothing on spot, which risk denies', () => {
    expect(fitOf(OWN_FUNDS_BTC, '1000', { side: 'sell' }, { ownedBase: amountOf('1.25') })).toBe(1250)
    expect(fitOf(OWN_FUNDS_BTC, '1000', { side: 'sell' }, { ownedBase: amountOf('0.05') })).toBe(5000)
    expect(fitOf(SPOT_BTC, '1000', { side: 'sell' }, { ownedBase: amountOf('1.25') })).toBe(5000)
  })

  it('of a short on own funds is what free quote buys back beside what the sale brings, at its stop-loss if it has one', () => {
    const own = { ownedBase: amountOf('5') }
    // A sale at 100 brings 99.9 of each BTC: buying it back takes 0.1 more at 100, and 5.1 more at 105.
    expect(fitOf(OWN_FUNDS_BTC, '0.3', { side: 'sell' }, own)).toBe(3000)
    expect(fitOf(OWN_FUNDS_BTC, '10.2', { side: 'sell', protection: { stopLoss: 105 } }, own)).toBe(2000)
    const fraction = { stopLoss: { fraction: 0.05 } }
    expect(fitOf(OWN_FUNDS_BTC, '10.2', { side: 'sell', protection: fraction }, own)).toBe(2000)
  })

  it('of an account that borrows is what its leverage allows, its fee and what is held included', () => {
    // 5 × 80 = 400: 3.998 BTC take 399.8 and a fee of 0.1999, 3.999 BTC would take 399.9 and 0.19995.
    const equity = amountOf('80')
    expect(fitOf(MARGIN_BTC, '0', {}, { equity })).toBe(3998)
    expect(fitOf(MARGIN_BTC, '0', { side: 'sell' }, { equity })).toBe(3998)
    // 1 BTC held leaves 300: 2.998 BTC take 299.8 and a fee of 0.1499, 2.999 BTC would take 299.9 and 0.14995.
    expect(fitOf(MARGIN_BTC, '0', {}, { equity, projectedPosition: 1000 })).toBe(2998)
    // Without equity nothing can be opened.
    expect(fitOf(MARGIN_BTC, '0', {}, { equity: amountOf('0') })).toBe(5000)
  })

  it.each(['buy', 'sell'] as const)('of contracts is what free quote backs at their leverage: %s', side => {
    // A contract of 0.01 BTC is worth 10 at 1000: a margin of 1 at leverage 10 and a fee of 0.005, at leverage 3 of 3.33… and 0.005.
    const draft = { side, quantity: steps(500), referencePrice: ticks(10_000) }
    expect(fitOf(FUTURES_BTC, '300', draft)).toBe(298)
    expect(fitOf(futuresWith({ leverage: 3 }), '300', draft)).toBe(89)
    expect(fitOf(FUTURES_BTC, '1000', draft)).toBe(500)
    expect(fitOf(FUTURES_BTC, '1', draft)).toBe(500)
  })

  it('of contracts at a leverage that they do not have is all of it, which risk denies', () => {
    expect(fitOf(futuresWith({ leverage: 200 }), '300', { quantity: steps(500) })).toBe(500)
  })
})

describe('the part of an entry sized by equity that can be paid for at the slippage it may have', () => {
  // 5 BTC wanted at 100, and up to 10% more.
  const fitOfEntry = (free: string, instrument: Instrument, draft: Partial<SizedDraft> = {}) =>
    fitAtSlippage(
      {
        ...({ side: 'buy', spec: { type: 'market' }, quantity: steps(5000) } as const),
        ...{ reduceOnly: false, referencePrice: ticks(10_000) },
        ...draft,
      },
      viewOf({ instrument, freeQuote: amountOf(free) }),
    )
  const capped = { ...SPOT_BTC, maxSlippageRate: 0.1 }

  it.each<[string, string, Instrument, Partial<SizedDraft>, number]>([
    ['all of it where 110 can be paid for', '550', capped, {}, 5000],
    // 549.9 ÷ 110 = 4.999…, 500 ÷ 110 = 4.545…
    ['what can be paid for at 110', '549.9', capped, {}, 4999],
    ['what can be paid for at 110 where all can be at 100', '500', capped, {}, 4545],
    ['all of it where it cannot be paid for at 100, which risk denies', '499.9', capped, {}, 5000],
    ['all of it where no slippage is bounded', '500', SPOT_BTC, {}, 5000],
    [
      'all of it where it has a price of its own',
      '500',
      capped,
      { spec: { type: 'limit', price: ticks(10_000) } },
      5000,
    ],
  ])('is %s', (_fact, free, instrument, draft, fitting) => {
    expect(fitOfEntry(free, instrument, draft)).toBe(fitting)
  })
})
