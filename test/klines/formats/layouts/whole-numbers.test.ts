import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setWholeNumbers } from '../../../../src/klines/formats/layouts/whole-numbers.ts'

function numbersOf(values: BigInt64Array | BigUint64Array): number[] {
  const target = new Float64Array(values.length)
  setWholeNumbers(target, values)
  return [...target]
}

describe('setWholeNumbers', () => {
  it('rounds as Number does, with a sign and without', () => {
    const signed = fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
    const unsigned = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
    fc.assert(
      fc.property(signed, unsigned, (some, others) => {
        expect(numbersOf(BigInt64Array.from(some))).toEqual(some.map(Number))
        expect(numbersOf(BigUint64Array.from(others))).toEqual(others.map(Number))
      }),
    )
  })

  it('keeps the whole numbers that a double has, and takes no more than there is place for', () => {
    expect(numbersOf(BigInt64Array.of(0n, -1n, 1514764800000n, 2n ** 53n, -(2n ** 63n)))).toEqual([
      0,
      -1,
      1514764800000,
      2 ** 53,
      -(2 ** 63),
    ])
    const target = new Float64Array(1)
    setWholeNumbers(target, BigInt64Array.of(7n, 8n))
    expect([...target]).toEqual([7])
  })
})
