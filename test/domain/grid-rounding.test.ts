import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Amount, amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import {
  baseAmount,
  type Grid,
  type Rounding,
  roundToSteps,
  roundToTicks,
  steps,
  stepsOfFraction,
  stepsWithin,
} from '../../src/domain/numbers/grid.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'

const CENTS = { pricePrecision: 2, quantityPrecision: 3 }
const anyPrecision = fc.integer({ min: 0, max: 8 })

describe('roundToTicks', () => {
  it.each<[number, Rounding, number]>([
    [1.234, 'down', 123],
    [1.234, 'up', 124],
    [1.234, 'nearest', 123],
    [1.236, 'nearest', 124],
    [1.23, 'down', 123],
    [1.23, 'up', 123],
    [-1.234, 'down', -124],
    [-1.234, 'up', -123],
  ])('brings %d %s to %d ticks of a cent', (price, rounding, expected) => {
    expect(roundToTicks(CENTS, price, rounding)).toBe(expected)
  })

  it.each([
    ['100 × 1.1', 100 * 1.1, 11_000],
    ['0.1 + 0.2', 0.1 + 0.2, 30],
    ['1.1 × 3', 1.1 * 3, 330],
    ['4.35', 4.35, 435],
    ['1 - 0.9', 1 - 0.9, 10],
  ])('takes %s for the tick it means, whichever way it rounds', (_name, price, expected) => {
    for (const rounding of ['down', 'up', 'nearest'] as const) {
      expect(roundToTicks(CENTS, price, rounding)).toBe(expected)
    }
  })

  it('does not take a millionth of a tick for noise', () => {
    expect(roundToTicks(CENTS, 1.230_000_01, 'up')).toBe(124)
    expect(roundToTicks(CENTS, 1.229_999_99, 'down')).toBe(122)
  })

  it('goes to the neighbour the rounding names, less than a tick away', () => {
    const prices = fc.double({ min: 1e-6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(prices, anyPrecision, (price, pricePrecision) => {
        const grid = { pricePrecision, quantityPrecision: 0 }
        const scaled = new Decimal(price).times(10 ** pricePrecision)
        const noise = Math.max(1e-9, scaled.toNumber() * 2 ** -47)
        const over = (rounding: Rounding) => new Decimal(roundToTicks(grid, price, rounding)).minus(scaled)
        expect(over('down').toNumber()).toBeLessThanOrEqual(noise)
        expect(over('down').toNumber()).toBeGreaterThan(-1)
        expect(over('up').toNumber()).toBeGreaterThanOrEqual(-noise)
        expect(over('up').toNumber()).toBeLessThan(1)
        expect(Math.abs(over('nearest').toNumber())).toBeLessThanOrEqual(0.5 + noise)
      }),
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])('refuses the price %d', price => {
    expect(() => roundToTicks(CENTS, price, 'nearest')).toThrow(InvariantError)
  })
})

describe('stepsWithin', () => {
  it.each([
    ['0.001', 1],
    ['0.001999999999999999', 1],
    ['0.000999999999999999', 0],
    ['0', 0],
    ['-5', 0],
    ['12.3456', 12_345],
  ])('finds in %s base the whole steps of 0.001: %d', (base, expected) => {
    expect(stepsWithin(CENTS, amountOf(base))).toBe(expected)
  })

  it('never finds more than there is, and leaves less than one step', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
    fc.assert(
      fc.property(units, anyPrecision, (base, quantityPrecision) => {
        const grid = { pricePrecision: 0, quantityPrecision }
        const amount = amountOf(new Decimal(base.toString()).div('1e18'))
        const rest = amount - baseAmount(grid, stepsWithin(grid, amount))
        expect(rest).toBeGreaterThanOrEqual(0n)
        expect(rest).toBeLessThan(baseAmount(grid, steps(1)))
      }),
    )
  })

  it('refuses more steps than a safe integer counts', () => {
    expect(() => stepsWithin(CENTS, amountOf('1e16'))).toThrow(InvariantError)
    expect(amountToText(baseAmount(CENTS, steps(Number.MAX_SAFE_INTEGER)))).toBe('9007199254740.991')
  })
})

describe('roundToSteps', () => {
  const THOUSANDTHS = { pricePrecision: 2, quantityPrecision: 3 }
  const CONTRACTS = { pricePrecision: 1, quantityPrecision: 0, contractSize: amountOf('0.01') }

  it.each([
    ['1.2345', 1234],
    ['1.234999999999999', 1235],
    ['1.2349999', 1234],
    ['0.000999999999999999', 1],
    ['0', 0],
    ['-1', 0],
  ])('takes %s as %d thousandths', (base, expected) => {
    expect(roundToSteps(THOUSANDTHS, amountOf(base))).toBe(expected)
  })

  it('takes two thirds of three contracts as two of them', () => {
    expect(roundToSteps(CONTRACTS, amountOf('0.019999999999999999'))).toBe(2)
    expect(roundToSteps(CONTRACTS, amountOf('0.0199999'))).toBe(1)
  })
})

/** Steps of any size and a number of them with a rest of any size: whole, next to whole, at the bounds of float noise, and any. */
const anyRest = fc
  .record({
    step: fc.oneof(
      fc.integer({ min: 0, max: 18 }).map(decimals => 10n ** BigInt(decimals)),
      fc.constantFrom(3n, 12_345_678_901n, 123_456_789_012_345_678n, 10n ** 22n),
    ),
    whole: fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 52 })),
    offset: fc.bigInt({ min: -2n, max: 2n }),
    sign: fc.constantFrom(1n, -1n),
    fraction: fc.bigInt({ min: 0n, max: 10n ** 18n }),
    kind: fc.constantFrom('whole', 'part of a step', 'part of all', 'any'),
  })
  .map(({ step, whole: [value, bits], offset, sign, fraction, kind }) => {
    const even = step * BigInt(Math.floor(Math.abs(value) / 2 ** bits))
    const rest = {
      whole: 0n,
      'part of a step': step / 1_000_000_000n,
      'part of all': even >> 48n,
      any: (step * fraction) / 10n ** 18n,
    }[kind]
    return { step, base: even + sign * rest + offset }
  })

/** A grid whose step is so many units of 10^-18. */
function gridOf(step: bigint): Grid {
  const decimals = step.toString().length - 1
  if (step === 10n ** BigInt(decimals) && decimals <= 18)
    return { pricePrecision: 0, quantityPrecision: 18 - decimals }
  return { pricePrecision: 0, quantityPrecision: 0, contractSize: step as Amount }
}

describe('steps of an amount, whether a double decides or not,', () => {
  it('are the whole ones of bigints for stepsWithin', () => {
    fc.assert(
      fc.property(anyRest, ({ step, base }) => {
        const whole = base < 0n ? 0n : base / step
        fc.pre(whole <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(stepsWithin(gridOf(step), base as Amount)).toBe(Number(whole))
      }),
      { numRuns: 5000 },
    )
  })

  it('are one more for roundToSteps within 10^-9 of a step, or 2^-48 of all, below it', () => {
    fc.assert(
      fc.property(anyRest, ({ step, base }) => {
        const above = base < 0n ? 0n : base / step + 1n
        const gap = above * step - base
        const isNoise = gap * 10n ** 9n <= step || gap * 2n ** 48n <= base
        const expected = base <= 0n ? 0n : base % step !== 0n && isNoise ? above : base / step
        fc.pre(expected <= BigInt(Number.MAX_SAFE_INTEGER))
        expect(roundToSteps(gridOf(step), base as Amount)).toBe(Number(expected))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('stepsOfFraction', () => {
  it('is k of n for the fraction k / n, and n for 1 - 1e-16', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.nat(10 ** 9), (whole, any) => {
        const part = any % (whole + 1)
        expect(stepsOfFraction(steps(whole), part / whole)).toBe(part)
        expect(stepsOfFraction(steps(whole), 1 - 1e-16)).toBe(whole)
      }),
    )
  })

  it('rounds down what is no noise', () => {
    expect(stepsOfFraction(steps(10), 0.29)).toBe(2)
    expect(stepsOfFraction(steps(3), 0.3333)).toBe(0)
  })
})
