import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, amountToText, rateOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { PlainSize } from '../../src/domain/signal.ts'
import type { SizingAccount } from '../../src/risk/sizing.ts'
import { changeToTarget, type TargetPosition } from '../../src/risk/target-sizing.ts'
import { MARGIN_BTC, OWN_FUNDS_BTC, SPOT_BTC } from '../domain/instruments.ts'
import { viewOf } from './risk-parts.ts'

type Position = Partial<Omit<TargetPosition, 'held' | 'toTrade'>> & { held?: string; toTrade?: string }

/** The change, in base, of a position at a price of 100; long, and of nothing held by default. */
function changeOf(size: PlainSize, position: Position, view: SizingAccount): string {
  const { held = '0', toTrade = '0', direction = 'long' } = position
  const target = {
    direction,
    price: ticks(10_000),
    held: amountOf(held),
    toTrade: amountOf(toTrade),
  }
  return amountToText(changeToTarget(size, target, view).change)
}

const with1000 = (instrument: Instrument, freeQuote = '1000') =>
  viewOf({ instrument, freeQuote: amountOf(freeQuote) })
const MARGIN = with1000(MARGIN_BTC)
/** An exchange that takes any order of one step. */
const NO_MINIMUM = with1000({ ...MARGIN_BTC, minQuantity: steps(0), minNotional: amountOf('0') })

describe('a target in base or quote', () => {
  it.each<[string, PlainSize, Position, string]>([
    ['from flat', { base: 1.5 }, {}, '1.5'],
    ['short from flat, its size negative', { base: -1.5 }, { direction: 'short' }, '1.5'],
    ['by growing', { base: 1.5 }, { held: '1' }, '0.5'],
    ['by shrinking', { base: 1.5 }, { held: '2' }, '-0.5'],
    ['of quote at the price', { quote: 250 }, {}, '2.5'],
    ['of negative quote at the price', { quote: -250 }, { direction: 'short', held: '4' }, '-1.5'],
    ['whatever else trades', { base: 1.5 }, { toTrade: '100' }, '1.5'],
  ])('is reached %s', (_name, size, position, change) => {
    expect(changeOf(size, position, MARGIN)).toBe(change)
  })

  // The smallest order is worth 10: 0.1 BTC.
  it.each<[string, string, string]>([
    ['1', '0', '1'],
    ['1.1', '1', '0.1'],
    ['1.099', '1', '0'],
    ['0.9', '1', '-0.1'],
    ['0.901', '1', '0'],
    ['0.05', '0.001', '0'],
    // Less than a step is nothing held: risk says why so little cannot be ordered.
    ['0.05', '0.0009', '0.049'],
    ['0.05', '0', '0.05'],
  ])(
    'of %s base with %s held asks for %s: a held one is not corrected by less than an order',
    (base, held, change) => {
      expect(changeOf({ base: Number(base) }, { held }, MARGIN)).toBe(change)
    },
  )

  it('is not corrected by less than the smallest quantity', () => {
    const view = with1000({ ...MARGIN_BTC, minNotional: amountOf('0') })
    expect(changeOf({ base: 1.001 }, { held: '1' }, view)).toBe('0')
    expect(changeOf({ base: 1.002 }, { held: '1' }, view)).toBe('0.002')
  })

  it('is corrected by a step where the exchange takes that, however little equity there is', () => {
    expect(changeOf({ base: 1.001 }, { held: '1' }, NO_MINIMUM)).toBe('0.001')
    expect(changeOf({ base: 1.0009 }, { held: '1' }, NO_MINIMUM)).toBe('0')
  })

  it('has the fee on top that is taken from what is bought, and from that alone', () => {
    // 5 ÷ 0.999 = 5.005…; selling, and selling short, costs quote.
    expect(changeOf({ base: 5 }, {}, with1000(SPOT_BTC))).toBe('5.005')
    expect(changeOf({ base: 5 }, { held: '10' }, with1000(SPOT_BTC))).toBe('-5')
    expect(changeOf({ base: 5 }, { direction: 'short' }, with1000(OWN_FUNDS_BTC))).toBe('5')
  })
})

describe('a target in equity', () => {
  it.each<[string, number, Position, string]>([
    // Half of 1000 is 5 BTC; the fee of the order takes 0.05% × 0.5 of it: 5 ÷ 1.00025 = 4.9987…
    ['from flat', 0.5, {}, '4.998'],
    ['short from flat', -0.5, { direction: 'short' }, '4.998'],
    // 5 ÷ 0.99975 = 5.0012…
    ['by shrinking', 0.5, { held: '10' }, '-5.001'],
    // The fee of 20 BTC elsewhere is 1: 4.995 ÷ 1.00025 = 4.9937…
    ['after the fee of what trades first', 0.5, { toTrade: '20' }, '4.993'],
    ['of nothing', 0, { held: '3' }, '-3'],
  ])('is reached %s', (_name, equityFraction, position, change) => {
    expect(changeOf({ equityFraction }, position, MARGIN)).toBe(change)
  })

  it.each(['0', '-50'])('is nothing where equity is %s', equity => {
    const view = { ...NO_MINIMUM, equity: amountOf(equity) }
    expect(changeOf({ equityFraction: 0.5 }, { held: '3' }, view)).toBe('-3')
    expect(changeOf({ equityFraction: 0.5 }, {}, view)).toBe('0')
  })

  // A step and twice the fee of 5 BTC, 0.0025: 0.006. What is missing counts after the fee of the order.
  it.each([
    ['4.994', '0'],
    ['4.9939985', '0.006'],
    ['4.993', '0.006'],
    ['4.992', '0.007'],
    ['5.005', '0'],
    ['5.0059985', '-0.006'],
    ['5.007', '-0.007'],
  ])('is close enough with %s held, or changes by %s', (held, change) => {
    expect(changeOf({ equityFraction: 0.5 }, { held }, NO_MINIMUM)).toBe(change)
  })

  it('shrinks also where fee and leverage together come to more than the order', () => {
    const fees = { ...MARGIN_BTC.fees, taker: rateOf('0.5') }
    const view = with1000({ ...MARGIN_BTC, fees })
    // 0.5 × 2 = 1 and 0.5 × 3 = 1.5 leave no divisor: the order is what is missing.
    expect(changeOf({ equityFraction: 2 }, { held: '50' }, view)).toBe('-30')
    expect(changeOf({ equityFraction: 3 }, { held: '70' }, view)).toBe('-40')
  })
})

describe('base that a step is too coarse for', () => {
  /** The base at a price of 100, long, with equity of 1000 if nothing else is said. */
  const coarseOf = (size: PlainSize, held: string, view: SizingAccount) => {
    const target = { direction: 'long', price: ticks(10_000), held: amountOf(held), toTrade: ZERO } as const
    const { coarse } = changeToTarget(size, target, view)
    return coarse && amountToText(coarse)
  }
  const whole = { ...MARGIN_BTC, quantityPrecision: 0, minQuantity: steps(1) }
  const WHOLE = with1000(whole)

  // A step is 1 BTC, a tenth of the equity, of which a twentieth is 0.5 BTC.
  it.each<[string, string, string | undefined]>([
    ['4.6', '4', '0.6'],
    ['4.5', '4', undefined],
    ['3.4', '4', '0.6'],
    // An order of 1 comes nearer, and leaves the rest.
    ['5.6', '4', '0.6'],
    ['5.4', '4', undefined],
    ['0.6', '0', '0.6'],
  ])('is, of a target of %s with %s held, %s', (base, held, coarse) => {
    expect(coarseOf({ base: Number(base) }, held, WHOLE)).toBe(coarse)
  })

  it('is none where orders are denied for their size', () => {
    expect(coarseOf({ base: 2.6 }, '0', with1000({ ...whole, minQuantity: steps(3) }))).toBeUndefined()
  })

  it('is none where fees of a high leverage are what leaves a target alone', () => {
    // 60 × equity are 600 BTC, of which twice the fee are 0.6. 0.55 ÷ 1.03 are missing, 53 USDT, but 533 steps of 0.001.
    const view = { ...NO_MINIMUM, equity: amountOf('1000') }
    expect(changeOf({ equityFraction: 60 }, { held: '599.45' }, view)).toBe('0')
    expect(coarseOf({ equityFraction: 60 }, '599.45', view)).toBeUndefined()
  })

  it('is none without equity', () => {
    expect(coarseOf({ base: 0 }, '3.6', { ...WHOLE, equity: amountOf('-50') })).toBeUndefined()
  })
})

describe('a growth', () => {
  it.each([SPOT_BTC, OWN_FUNDS_BTC, MARGIN_BTC])(
    'is not bounded here by what the account has: $accountType',
    instrument => {
      // 5 ÷ 0.999 = 5.005… where the fee is taken from what is bought.
      const whole = instrument.fees.paidIn === 'received' ? '5.005' : '5'
      expect(changeOf({ base: 5 }, {}, with1000(instrument, '0'))).toBe(whole)
    },
  )
})
