import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { DecimalSum } from '../../../src/domain/numbers/decimal-sum.ts'

function sumOf(parts: readonly number[]): number {
  const sum = new DecimalSum()
  for (const part of parts) sum.add(part)
  return sum.value
}

describe('DecimalSum', () => {
  it.each<[string, number[], number]>([
    ['no parts', [], 0],
    ['tenths', [0.1, 0.2], 0.3],
    ['a finer part after a coarse one', [7, 0.3, 0.00001], 7.30001],
    ['a coarse part after a finer one', [0.00001, 0.3, 7], 7.30001],
    ['parts that a number cannot count one by one', [1e16, 1, 1, 1, 1], 1e16 + 4],
    ['parts of 16 digits', [0.1234567890123456, 0.0000000000000004], 0.123456789012346],
    ['less than 10^-22', [1e-30, 2e-30], 3e-30],
    ['signed parts', [0.3, -0.1, -0.2], 0],
    ['units beyond 2^53', Array.from({ length: 100 }, () => 99999999999.9999), 9999999999999.99],
    ['a part that is no number', [1, Number.NaN], Number.NaN],
  ])('adds %s', (_, parts, sum) => {
    expect(sumOf(parts)).toBe(sum)
  })

  it('is the number nearest to the exact decimal sum', () => {
    const part = fc.oneof(
      fc.tuple(fc.nat(99_999_999), fc.nat(9)).map(([units, decimals]) => Number(`${units}e-${decimals}`)),
      fc.double({ min: 0, max: 1e15, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), parts => {
        const Exact = Decimal.clone({ precision: 2000 })
        expect(sumOf(parts)).toBe(Exact.sum(0, ...parts).toNumber())
      }),
      { numRuns: 300 },
    )
  })
})
