import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { compareDecimals } from '../../../src/exchange/wire/compare-decimals.ts'
import { plainDecimal } from '../../../src/exchange/wire/plain-decimal.ts'
import { decimalField } from '../../../src/exchange/wire/wire-field.ts'

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'00123456789'), minLength: 1, maxLength, size: 'max' })
const plainText = fc.oneof(
  fc.tuple(digits(9), digits(14)).map(([whole, fraction]) => `${whole}.${fraction}`),
  digits(16),
  digits(14).map(fraction => `0.${fraction}`),
)

describe('plainDecimal', () => {
  it('makes exactly what decimal.js makes, part by part', () => {
    fc.assert(
      fc.property(plainText, text => {
        const ours = plainDecimal(text)
        const theirs = new Decimal(text)
        if (ours === undefined) expect(text.length > 15 || theirs.gte(1e7)).toBe(true)
        else {
          expect([ours.s, ours.e, [...ours.d]]).toEqual([theirs.s, theirs.e, [...theirs.d]])
          expect(Decimal.isDecimal(ours)).toBe(true)
          expect(ours.constructor).toBe(Decimal)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([
    ['0.00000001234567', -8, [1_234_567]],
    ['0.0000001', -7, [1]],
    ['0.1234567', -1, [1_234_567]],
    ['0.12345671', -1, [1_234_567, 1_000_000]],
    ['5.00000001', 0, [5, 0, 1_000_000]],
    ['30000.12', 4, [30_000, 1_200_000]],
    ['9999999', 6, [9_999_999]],
  ] as const)('makes the parts of %s', (text, e, d) => {
    const decimal = plainDecimal(text)
    expect([decimal?.s, decimal?.e, decimal?.d]).toEqual([1, e, d])
    expect(decimal?.toFixed()).toBe(text)
    expect([new Decimal(text).e, new Decimal(text).d]).toEqual([e, d])
  })

  it('calculates like any other decimal', () => {
    fc.assert(
      fc.property(plainText, plainText, (left, right) => {
        const [ours, theirs] = [decimalField.parse(left), new Decimal(left)]
        const other = decimalField.parse(right)
        expect(ours.plus(other).toFixed()).toBe(theirs.plus(right).toFixed())
        expect(ours.times(other).toFixed()).toBe(theirs.times(right).toFixed())
        expect(ours.minus(other).toFixed()).toBe(theirs.minus(right).toFixed())
        expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
      }),
    )
  })

  it.each(['', '.5', '1.2.3', '-1', '+1', '1e3', ' 1', '0x1', '1_0', '12345678901234567'])(
    'leaves "%s" alone',
    text => {
      expect(plainDecimal(text)).toBeUndefined()
    },
  )
})

describe('compareDecimals', () => {
  it('orders as decimal.js does', () => {
    const anyDecimal = fc.oneof(
      plainText,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.constantFrom('0', '-0', '-1.5', '0.0000001', '1e30'),
    )
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (left, right) => {
        const [a, b] = [new Decimal(left), new Decimal(right)]
        expect(Math.sign(compareDecimals(a, b))).toBe(a.comparedTo(b))
        expect(compareDecimals(a, new Decimal(left))).toBe(0)
      }),
      { numRuns: 2000 },
    )
  })
})
