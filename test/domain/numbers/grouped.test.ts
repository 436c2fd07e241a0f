import fc from 'fast-check'
import { expect, it } from 'vitest'
import { grouped } from '../../../src/domain/numbers/grouped.ts'

it.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1234567.891', '-1,234,567.891'],
  ['59640.0', '59,640.0'],
  ['0.1234567', '0.1234567'],
  ['60000.5 USDT', '60000.5 USDT'],
  ['1e+21', '1e+21'],
  ['NaN', 'NaN'],
  ['', ''],
])('%s is grouped as %s', (text, expected) => {
  expect(grouped(text)).toBe(expected)
})

it('groups any decimal so that without its commas it is the same text', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(10 ** 8), (whole, fraction) => {
      const text = `${whole}.${fraction}`
      const shown = grouped(text)
      expect(shown.replaceAll(',', '')).toBe(text)
      expect(shown.split('.')[0]).toMatch(/^-?\d{1,3}(,\d{3})*$/)
    }),
  )
})
