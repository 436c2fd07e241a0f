import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Amount,
  absolute,
  add,
  amountFromNumber,
  amountOf,
  amountToNumber,
  amountToText,
  divide,
  larger,
  negate,
  ONE_RATE,
  rateFromNumber,
  rateOf,
  smaller,
  subtract,
  times,
  ZERO,
} from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'

const ONE = 10n ** 18n
/** Any amount up to 10^21 units of an asset, either sign. */
const anyUnits = fc.bigInt({ min: -(10n ** 39n), max: 10n ** 39n })
const textOf = (units: bigint) => new Decimal(units.toString()).div(ONE.toString()).toFixed()

describe('an amount', () => {
  it.each([
    ['0', 0n],
    ['1', ONE],
    ['-12', -12n * ONE],
    ['0.001', 10n ** 15n],
    ['0.000000000000000001', 1n],
    ['-0.000000000000000001', -1n],
    ['0E-16', 0n],
    ['1e3', 1000n * ONE],
    ['1.50', 15n * 10n ** 17n],
    ['12345678901.123456789012345678', 12_345_678_901_123_456_789_012_345_678n],
  ])('reads %s exactly', (text, units) => {
    expect(amountOf(text)).toBe(units)
  })

  it.each([
    ['0.0000000000000000001', '0.0000000000000000001 is finer than 10^-18'],
    [`1.${'0'.repeat(70)}1`, 'is finer than 10^-18'],
    ['twelve', '"twelve" is not a decimal number.'],
    ['', '"" is not a decimal number.'],
    ['NaN', 'NaN is not a finite number.'],
    ['Infinity', 'Infinity is not a finite number.'],
  ])('refuses %s', (text, message) => {
    expect(() => amountOf(text)).toThrow(UsageError)
    expect(() => amountOf(text)).toThrow(message)
  })

  it.each([
    [0n, '0'],
    [1n, '0.000000000000000001'],
    [-1n, '-0.000000000000000001'],
    [10n ** 15n, '0.001'],
    [-12n * ONE, '-12'],
    [1_500_000_000_000_000_000_000n, '1500'],
  ])('writes %s units as %s', (units, text) => {
    expect(amountToText(units as Amount)).toBe(text) // a test may state units directly
  })

  it('survives the round trip through text, in the text decimal.js writes', () => {
    fc.assert(
      fc.property(anyUnits, units => {
        const text = amountToText(units as Amount) // any whole number of units is an amount
        expect(text).toBe(textOf(units))
        expect(amountOf(text)).toBe(units)
      }),
    )
  })

  it('becomes the double nearest to its text', () => {
    fc.assert(
      fc.property(anyUnits, units => {
        expect(amountToNumber(units as Amount)).toBe(Number(textOf(units))) // as above
      }),
    )
  })

  it('adds, subtracts and compares exactly where doubles do not', () => {
    expect(amountToText(add(amountOf('0.1'), amountOf('0.2')))).toBe('0.3')
    expect(amountToText(subtract(amountOf('9007199254740993'), amountOf('0.000000000000000001')))).toBe(
      '9007199254740992.999999999999999999',
    )
    expect(smaller(amountOf('-1'), ZERO)).toBe(amountOf('-1'))
    expect(smaller(amountOf('2'), amountOf('1'))).toBe(amountOf('1'))
    expect(larger(amountOf('-1'), ZERO)).toBe(ZERO)
    expect(larger(amountOf('2'), amountOf('1'))).toBe(amountOf('2'))
  })

  it('has one size and two signs', () => {
    fc.assert(
      fc.property(anyUnits, units => {
        const amount = units as Amount // any whole number of units is an amount
        expect(add(amount, negate(amount))).toBe(ZERO)
        expect(absolute(amount)).toBe(units < 0n ? -units : units)
        expect(subtract(amount, amount)).toBe(ZERO)
      }),
    )
  })
})

describe('a number as an amount', () => {
  it.each([
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e-18, '0.000000000000000001'],
    [1.9e-18, '0.000000000000000001'],
    [-1.9e-18, '-0.000000000000000001'],
    [9e-19, '0'],
    [1e21, '1000000000000000000000'],
  ])('%d is %s, towards zero', (value, text) => {
    expect(amountToText(amountFromNumber(value))).toBe(text)
    expect(amountToText(rateFromNumber(value))).toBe(text)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is refused', value => {
    expect(() => amountFromNumber(value)).toThrow(UsageError)
  })
})

describe('a rate', () => {
  it.each([
    [0.0005, '0.0005'],
    ['0.0005', '0.0005'],
    [1, '1'],
    [0.1, '0.1'],
  ])('reads %s by its shortest decimal form', (value, text) => {
    expect(amountToText(rateOf(value))).toBe(text)
  })

  it('leaves an amount unchanged at 100%', () => {
    fc.assert(fc.property(anyUnits, units => times(units as Amount, ONE_RATE) === units)) // as above
  })
})

/** The quotient without its fraction, by the definition of truncation and without bigint division of negatives. */
const towardsZero = (numerator: bigint, denominator: bigint) => {
  const size = (value: bigint) => (value < 0n ? -value : value)
  const quotient = size(numerator) / size(denominator)
  return numerator < 0n === denominator < 0n ? quotient : -quotient
}

describe('times and divide', () => {
  it('round towards zero at 10^-18', () => {
    fc.assert(
      fc.property(anyUnits, anyUnits, (left, right) => {
        expect(times(left as Amount, rateOf(textOf(right)))).toBe(towardsZero(left * right, ONE)) // as above
        fc.pre(right !== 0n)
        expect(divide(left as Amount, right as Amount)).toBe(towardsZero(left * ONE, right)) // as above
      }),
    )
  })

  it.each([
    ['1', '3', '0.333333333333333333'],
    ['-2', '3', '-0.666666666666666666'],
    ['1000', '0.1', '10000'],
  ])('%s ÷ %s is %s', (left, right, quotient) => {
    expect(amountToText(divide(amountOf(left), amountOf(right)))).toBe(quotient)
  })

  it.each([
    ['1234.56', '0.0005', '0.61728'],
    ['0.000000000000000001', '0.9', '0'],
    ['-0.000000000000000001', '0.9', '0'],
  ])('%s × %s is %s', (amount, rate, product) => {
    expect(amountToText(times(amountOf(amount), rateOf(rate)))).toBe(product)
  })
})
