import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/exchange/answer.ts'
import { ENDPOINTS } from '../../src/exchange/endpoints.ts'
import { klinesInText } from '../../src/exchange/klines-text.ts'
import { parseLossless } from '../../src/exchange/lossless-json.ts'

const bySchema = (text: string) => ENDPOINTS.spotKlines.response.safeParse(parsedOrNot(text))

/** What may stand for a number or a time: the usual, and what is odd in ways that JSON or the schema may allow. */
const plain = fc.tuple(fc.nat(100_000), fc.nat(99_999_999)).map(parts => parts.join('.'))
const odd = fc.constantFrom(
  ...['0', '-0', '007', '5.', '.5', '-1', '-', '1e3', '0E-16', '3.120000000000000000001', '', ' 1', 'NaN'],
  ...['1.2.3', '\\u0031', '1e99', '9'.repeat(31), `0.${'1'.repeat(31)}`, 'null', '[1]', '12345678901234567'],
)
const number = fc
  .tuple(fc.oneof({ weight: 60, arbitrary: plain }, { weight: 1, arbitrary: odd }), fc.boolean())
  .map(([value, isText]) => (isText ? `"${value}"` : value))
const time = fc.oneof(
  { weight: 20, arbitrary: fc.nat(2_000_000_000_000).map(String) },
  { weight: 1, arbitrary: number },
)
const extra = fc.constantFrom('"code":0', '"amount":"1"', '"open":"2"', '"idx":1', '"lo":"2"')
const kline = fc
  .record({ idx: time, open: number, high: number, low: number, close: number, vol: number })
  .chain(fields => {
    const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`)
    return fc.oneof(
      { weight: 30, arbitrary: fc.shuffledSubarray(members, { minLength: members.length }) },
      { weight: 1, arbitrary: fc.shuffledSubarray(members) },
      { weight: 1, arbitrary: extra.map(more => [...members, more]) },
    )
  })
  .map(members => `{${members.join(',')}}`)
const klinesText = fc.array(kline, { maxLength: 4 }).map(klines => `[${klines.join(',')}]`)
const damage = fc.constantFrom('', '"', '\\', '0', '-', '.', ',', ':', '{', ']', ' ', '\n', 'x', 'e')
const damaged = fc.tuple(klinesText, fc.nat(), damage, fc.nat(1)).map(([whole, at, put, cut]) => {
  const position = at % (whole.length + 1)
  return whole.slice(0, position) + put + whole.slice(position + cut)
})

const one = '{"idx":1594640340000,"open":"1","high":"3","low":"0.5","close":"2","vol":"7"}'

describe('klinesInText', () => {
  it('takes the usual form, with times in ms or in seconds and numbers in quotes or not', () => {
    const text =
      '[{"high":"6228.77","vol":"2.456","low":"6190.4","idx":1594640340000,"close":"6200","open":"6199.00"},' +
      '{"idx":1594640280,"open":-1,"high":0,"low":0.25,"close":"-2.5","vol":123456789}]'
    expect(klinesInText(text)).toEqual([
      { openTime: 1_594_640_340_000, open: 6199, high: 6228.77, low: 6190.4, close: 6200, volume: 2.456 },
      { openTime: 1_594_640_280_000, open: -1, high: 0, low: 0.25, close: -2.5, volume: 123_456_789 },
    ])
  })

  it('takes an empty list', () => {
    expect(klinesInText('[]')).toEqual([])
  })

  it('takes nothing that the schema refuses, and gives what the schema gives', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.oneof(klinesText, damaged), text => {
        const klines = klinesInText(text)
        if (klines === undefined) return
        taken++
        expect(bySchema(text)).toEqual({ success: true, data: klines })
      }),
      { numRuns: 10_000 },
    )
    expect(taken).toBeGreaterThan(2000)
  })

  it.each([
    ['a space', `[${one}, ${one}]`],
    ['an exponent', `[${one.replace('"7"', '7e3')}]`],
    ['a number with zeros before it', `[${one.replace('"7"', '07')}]`],
    ['a number without an end', `[${one.replace('"7"', '"7')}]`],
    ['more digits than usual', `[${one.replace('7', '7'.repeat(31))}]`],
    ['a member twice', `[${one.replace('"vol"', '"open"')}]`],
    ['a member too many', `[${one.replace('}', ',"open":"1"}')}]`],
    ['a member that nobody knows', `[${one.replace('}', ',"amount":"1"}')}]`],
    ['a kline without volume', `[${one.replace(',"vol":"7"', '')}]`],
    ['a time before 1970', `[${one.replace('1594640340000', '-5')}]`],
    ['a time that is no whole number', `[${one.replace('1594640340000', '1.5')}]`],
    ['a time that no double holds', `[${one.replace('1594640340000', '12345678901234567')}]`],
    ['an envelope', `{"code":"0","msg":"","data":[${one}]}`],
    ['a cut-off text', `[${one}`],
    ['text behind it', `[${one}]]`],
    ['nothing', ''],
  ])('leaves %s to the schema', (_name, text) => {
    expect(klinesInText(text)).toBeUndefined()
  })
})

describe('the answer to a query for klines', () => {
  it.each([ENDPOINTS.spotKlines, ENDPOINTS.futuresKlines])('of $key is read from its text', endpoint => {
    const read = (body: string, status = 200) => readAnswer(endpoint, { status, body }, text => text)
    const expected = [{ openTime: 1_594_640_340_000, open: 1, high: 3, low: 0.5, close: 2, volume: 7 }]
    expect(endpoint.responseInText).toBe(klinesInText)
    expect(read(`[${one}]`)).toEqual(expected)
    expect(read(`[ ${one} ]`)).toEqual(expected)
    expect(() => read(`[${one.replace('"7"', '"x"')}]`)).toThrow('0.vol: must be a decimal number')
    expect(() => read(`[${one}]`, 403)).toThrow(expect.objectContaining({ httpStatus: 403 }))
  })
})

function parsedOrNot(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
