import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../src/domain/decimal.ts'
import { readAnswer } from '../../src/exchange/answer.ts'
import { depthInText } from '../../src/exchange/depth-text.ts'
import { ENDPOINTS } from '../../src/exchange/endpoints.ts'
import { parseLossless } from '../../src/exchange/lossless-json.ts'

const bySchema = (text: string) => ENDPOINTS.spotDepth.response.safeParse(parsedOrNot(text))

/** What may stand for a number, a level, a side or a time: the usual, and what is odd in ways that JSON or the schema may allow. */
const number = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(fc.nat(100_000), fc.nat(99_999_999)).map(parts => parts.join('.')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0', '007', '5.', '.5', '-1', '1e3', '0E-16', '3.120000000000000000001'),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' 1', 'NaN', '1.2.3', '\\u0031', '1e99', '9'.repeat(70)) },
)
const level = fc.oneof(
  { weight: 40, arbitrary: fc.tuple(number, number).map(([price, size]) => `["${price}","${size}"]`) },
  { weight: 1, arbitrary: fc.constantFrom('[]', '["1"]', '["1","2","3"]', '[1,2]', '[["1"],"2"]', 'null') },
)
const side = fc.oneof(
  { weight: 20, arbitrary: fc.array(level, { maxLength: 4 }).map(levels => `[${levels.join(',')}]`) },
  { weight: 1, arbitrary: fc.constantFrom('null', '{}', '"[]"', '[,]', '[["1","2"],]') },
)
const time = fc.oneof(
  { weight: 2, arbitrary: fc.nat(2_000_000_000_000).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"7"', 'null', '0', '01', '-5', '1e3', '1.5', '12345678901234567', '""'),
  },
)
const extra = fc.constantFrom('"code":0', '"code":"-1003","msg":"x"', '"more":[{}]', '"bids":[]')
const depthText = fc
  .record({ bids: side, asks: side, time, extra }, { requiredKeys: ['bids', 'asks'] })
  .chain(({ extra: more = [], ...fields }) => {
    const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`)
    return fc.shuffledSubarray(members.concat(more), { minLength: members.length })
  })
  .map(members => `{${members.join(',')}}`)
const damage = fc.constantFrom('', '"', '\\', '0', '-', '.', ',', ':', '{', ']', ' ', '\n', 'x')
const damaged = fc.tuple(depthText, fc.nat(), damage, fc.nat(1)).map(([whole, at, put, cut]) => {
  const position = at % (whole.length + 1)
  return whole.slice(0, position) + put + whole.slice(position + cut)
})

describe('depthInText', () => {
  it('takes the usual form, and gives exact levels with the best first', () => {
    const text =
      '{"asks":[["4.00000200","12"],["5.1","0.5"]],"bids":[["3.9","431.00000000"],["4","1"]],"time":1588591856950}'
    expect(depthInText(text)).toEqual({
      bids: [
        { price: new Decimal('4'), quantity: new Decimal('1') },
        { price: new Decimal('3.9'), quantity: new Decimal('431') },
      ],
      asks: [
        { price: new Decimal('4.000002'), quantity: new Decimal('12') },
        { price: new Decimal('5.1'), quantity: new Decimal('0.5') },
      ],
      time: 1_588_591_856_950,
    })
  })

  it('takes running totals behind the quantity, and no time, as live hosts send them', () => {
    const text = '{"bids":[["1.5","2","2","3"]],"asks":[],"time":null}'
    const bid = { price: new Decimal('1.5'), quantity: new Decimal('2') }
    expect(depthInText(text)).toEqual({ bids: [bid], asks: [] })
  })

  it('takes numbers of any length', () => {
    const [price, quantity] = ['30000.120000000000000001', '123456789012345678.5']
    expect(depthInText(`{"bids":[["${price}","${quantity}"]],"asks":[]}`)?.bids).toEqual([
      { price: new Decimal(price), quantity: new Decimal(quantity) },
    ])
  })

  it('takes nothing that the schema refuses, and gives what the schema gives', () => {
    let taken = 0
    fc.assert(
      fc.property(fc.oneof(depthText, damaged), text => {
        const depth = depthInText(text)
        if (depth === undefined) return
        taken++
        expect(bySchema(text)).toEqual({ success: true, data: depth })
      }),
      { numRuns: 10_000 },
    )
    expect(taken).toBeGreaterThan(500)
  })

  it.each([
    ['a space', '{"bids": [],"asks":[]}'],
    ['a number without quotes', '{"bids":[[1,2]],"asks":[]}'],
    ['a level of one number', '{"bids":[["1"]],"asks":[]}'],
    ['a total that is no JSON', '{"bids":[["1","2","\\"]],"asks":[]}'],
    ['a long number without an end', `{"bids":[["1.${'0'.repeat(63)}x,"2"]],"asks":[]}`],
    ['an envelope', '{"code":"0","msg":"","data":{"bids":[],"asks":[]}}'],
    ['one side only', '{"bids":[]}'],
    ['a side twice', '{"bids":[],"asks":[],"bids":[["1","2"]]}'],
    ['a cut-off text', '{"bids":[["1","2'],
    ['text behind it', '{"bids":[],"asks":[]}{}'],
    ['a time that no double holds', '{"bids":[],"asks":[],"time":12345678901234567}'],
  ])('leaves %s to the schema', (_name, text) => {
    expect(depthInText(text)).toBeUndefined()
  })
})

describe('the answer to a depth query', () => {
  const read = (body: string, status = 200) => readAnswer(ENDPOINTS.spotDepth, { status, body }, text => text)

  it('names the field that is wrong', () => {
    expect(() => read('{"bids":[["1","2"],["1","x"]],"asks":[]}')).toThrow(
      'bids.1: must be a price and a quantity',
    )
    expect(() => read('{"bids":[],"asks":[],"time":"soon"}')).toThrow(
      'time: must be a whole number of at least 0',
    )
    expect(() => read('{"bids":[["1","2"]]')).toThrow('it is no JSON')
  })

  it('is a refusal where its status says so, whatever it looks like', () => {
    expect(() => read('{"bids":[],"asks":[]}', 403)).toThrow(expect.objectContaining({ httpStatus: 403 }))
  })
})

function parsedOrNot(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
