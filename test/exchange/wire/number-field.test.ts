import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { numberField } from '../../../src/exchange/wire/wire-field.ts'

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map(list => list.join(''))

describe('numberField', () => {
  it('gives the double nearest to the decimal, however it is written', () => {
    const decimals = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits(32),
        fc.option(digits(32)),
        fc.constantFrom('', 'e3', 'E-7'),
      )
      .map(([sign, whole, part, exponent]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exponent}`)
    fc.assert(
      fc.property(decimals, text => {
        expect(numberField.parse(text)).toBe(new Decimal(text).toNumber())
      }),
    )
  })

  it.each(['', 'Infinity', '1e400', '0x10', '1_000', ' 1', 'abc', null, true])('refuses %j', value => {
    expect(numberField.safeParse(value).error?.issues[0]?.message).toBe('must be a decimal number')
  })

  it('says that it is required', () => {
    expect(numberField.safeParse(undefined).error?.issues[0]?.message).toBe('is required')
  })
})
