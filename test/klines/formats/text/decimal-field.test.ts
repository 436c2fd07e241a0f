import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDecimalField } from '../../../../src/klines/formats/text/decimal-field.ts'

function read(text: string, after = ''): { value: number; end: number } {
  const row = new Float64Array(1)
  const end = readDecimalField(Buffer.from(text + after), 0, row, 0)
  return { value: row[0] ?? Number.NaN, end }
}

describe('readDecimalField', () => {
  it.each([
    ['0', 0],
    ['100', 100],
    ['13752.18233851', 13752.18233851],
    ['93738.19000000', 93738.19],
    ['.5', 0.5],
    ['5.', 5],
    ['-1.25', -1.25],
    ['+2', 2],
    ['1e-8', 1e-8],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740992],
    ['0.1234567890123456789', 0.12345678901234568],
    ['0.00000000000000000000000001', 1e-26],
  ])('reads %s', (text, value) => {
    expect(read(text).value).toBe(value)
  })

  it.each(['', '.', '-', 'NaN', 'Infinity', '0x10', '1 2', ' 1', '1.2.3', '١'])(
    'calls "%s" no number',
    text => {
      expect(read(text).value).toBeNaN()
    },
  )

  it.each([',', ']', ''])('ends a field before %j', after => {
    expect(read('12.5', after)).toEqual({ value: 12.5, end: 4 })
    expect(read('x12', after).end).toBe(3)
  })

  it('reads any decimal to the nearest double, as Number does', () => {
    // The second range is where a mantissa stops being exact.
    const digits = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.bigInt({ min: 2n ** 52n, max: 2n ** 55n }),
    )
    const decimals = fc.tuple(digits, fc.integer({ min: 0, max: 25 })).map(([mantissa, places]) => {
      const text = mantissa.toString().padStart(places + 1, '0')
      return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
    })
    fc.assert(
      fc.property(decimals, text => read(text).value === Number(text)),
      { numRuns: 2000 },
    )
  })
})
