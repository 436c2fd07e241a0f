import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/domain/decimal.ts'
import { parseLossless } from '../../src/exchange/lossless-json.ts'
import { requestTarget } from '../../src/exchange/request-target.ts'
import { decimalField } from '../../src/exchange/wire-field.ts'

describe('parseLossless', () => {
  it('keeps every digit of a number at any depth', () => {
    const text =
      '{"id":165964665990709251,"list":[0E-16,{"price":0.10000000000000000001}],"ok":true,"none":null}'
    expect(parseLossless(text)).toEqual({
      id: '165964665990709251',
      list: ['0E-16', { price: '0.10000000000000000001' }],
      ok: true,
      none: null,
    })
  })

  it('throws for cut-off text', () => {
    expect(() => parseLossless('{"id":1')).toThrow(SyntaxError)
  })
})

describe('decimalField', () => {
  it.each([
    ['0E-16', '0'],
    ['9.8E+4', '98000'],
    ['+0.05', '0.05'],
    ['0.10000000000000000001', '0.10000000000000000001'],
  ])('reads %s as %s', (text, expected) => {
    expect(decimalField.parse(text).toFixed()).toBe(expected)
  })

  it.each(['', '0x10', '1_000', 'Infinity', 'NaN', '1e999999999', ' 1'])('refuses "%s"', text => {
    expect(decimalField.safeParse(text).success).toBe(false)
  })
})

describe('requestTarget', () => {
  it('writes any decimal as a JSON number with exactly its digits', () => {
    const anyDecimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }))
      .map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)))
    fc.assert(
      fc.property(anyDecimal, volume => {
        const { body } = requestTarget('POST', '/order', { volume, symbol: 'A"/B' })
        expect(body).toMatch(/^\{"volume":-?\d+(\.\d+)?,"symbol":"A\\"\/B"\}$/)
        const { volume: read } = parseLossless(body) as { volume: string } // the line above shows its shape
        expect(new Decimal(read).eq(volume)).toBe(true)
      }),
    )
  })

  it('leaves out what is undefined, and the question mark where nothing is left', () => {
    expect(requestTarget('GET', '/account', { symbol: undefined })).toEqual({
      requestPath: '/account',
      body: '',
    })
    expect(requestTarget('POST', '/cancel', { symbol: undefined })).toEqual({
      requestPath: '/cancel',
      body: '{}',
    })
  })
})
