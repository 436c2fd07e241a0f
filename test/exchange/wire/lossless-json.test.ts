import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { requestTarget } from '../../../src/exchange/http/request-target.ts'
import { DuplicateKeyError, parseLossless } from '../../../src/exchange/wire/lossless-json.ts'
import { decimalField } from '../../../src/exchange/wire/wire-field.ts'

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

  it('reads on behind a key with escapes', () => {
    expect(parseLossless('{"a\\"1\\n":0.10,"\\u0022,2:":[3]}')).toEqual({ 'a"1\n': '0.10', '",2:': ['3'] })
  })

  // Keys without escapes: V8 takes the text `\"` for the key `\` where it has met such an object before.
  it('gives what JSON.parse gives, numbers as text of the same value, and throws where it throws or a key comes twice', () => {
    const jsonNumber = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.bigInt().map(String),
      fc.constantFrom('0', '-0', '0E-16', '1e+5', '-1.5E-7', '0.10', '1.0'),
    )
    const tricky = fc.string({ unit: fc.constantFrom(...'019-.eE+":,[]{}\\\\ /u\n', 'é'), maxLength: 12 })
    const text = fc.oneof(tricky, fc.string()).map(value => JSON.stringify(value))
    const key = fc.oneof(tricky, fc.string()).map(value => JSON.stringify(value.replaceAll(/["\\\n]/g, '')))
    const space = fc.constantFrom('', ' ', '\n', '\t ', '\r')
    const { json } = fc.letrec<{ json: string }>(tie => ({
      json: fc.oneof(
        { depthSize: 'small' },
        jsonNumber,
        text,
        fc.constantFrom('true', 'false', 'null'),
        fc
          .tuple(fc.array(tie('json')), space)
          .map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`),
        fc
          .tuple(fc.array(fc.tuple(key, tie('json'))), space)
          .map(
            ([members, gap]) =>
              `{${gap}${members.map(([key, value]) => `${key}${gap}:${gap}${value}`).join(`${gap},`)}${gap}}`,
          ),
      ),
    }))
    const damage = fc.tuple(
      fc.nat(),
      fc.constantFrom('', '"', '\\', '0', '-', '.', 'e', ',', ':', '{', ']', ' '),
    )
    const damaged = fc.tuple(json, damage).map(([whole, [at, put]]) => {
      const position = at % (whole.length + 1)
      return whole.slice(0, position) + put + whole.slice(position + 1)
    })
    fc.assert(
      fc.property(fc.oneof(json, damaged, tricky), candidate => {
        const reference = outcomeOf(() => withoutDuplicates(candidate, JSON.parse(candidate)))
        const found = outcomeOf(() => parseLossless(candidate))
        expect(numbered(found, reference)).toEqual(expected(reference))
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '{1:2}',
    '{12345678901234567 : 2}',
    '[01]',
    '[1.]',
    '[.5]',
    '[+1]',
    '[1e]',
    '[--1]',
    '1"2"',
    '"\\"1',
  ])('throws for %s', text => {
    expect(() => parseLossless(text)).toThrow(SyntaxError)
  })

  it.each([
    ['{"price":"1","price":"2"}', 'price'],
    ['{"price":1,"price":1}', 'price'],
    ['{"a":{"b":1},"c":[{"b":1,"d":{},"b":[]}]}', 'b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{ "id" : 1 , "x":"\\\\",\n"id"\t: 2}', 'id'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('refuses %s, which names a member twice', (text, key) => {
    expect(() => parseLossless(text)).toThrow(DuplicateKeyError)
    expect(() => parseLossless(text)).toThrow(`An object names "${key}" twice.`)
  })

  it.each(['[{"a":1},{"a":1}]', '{"a":{"a":{"a":":"}}}', '{"a":"\\":\\"a","b":"{\\"a\\":2}"}'])(
    'takes %s, where each object names a member once',
    text => {
      expect(parseLossless(text)).toEqual(JSON.parse(text.replaceAll(':1', ':"1"')))
    },
  )

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

  it('escapes text as JSON does', () => {
    expect(requestTarget('POST', '/order', { note: 'half a pair: \ud83d' }).body).toBe(
      '{"note":"half a pair: \\ud83d"}',
    )
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ minLength: 1 }),
        (symbol, note) => {
          const { body } = requestTarget('POST', '/order', { symbol, notes: [{ note }] })
          expect(body).toBe(JSON.stringify({ symbol, notes: [{ note }] }))
        },
      ),
    )
  })

  it('leaves out what is empty, which means absent', () => {
    const fields = { symbol: 'BTC/USDT', newClientOrderId: '', list: [{ label: '' }] }
    expect(requestTarget('GET', '/order', { symbol: 'BTC/USDT', newClientOrderId: '' }).requestPath).toBe(
      '/order?symbol=BTC%2FUSDT',
    )
    expect(requestTarget('POST', '/order', fields).body).toBe('{"symbol":"BTC/USDT","list":[{}]}')
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

/**
 * The same tree with every number, and our text of one, as `number <value>`: `JSON.parse` is the reference. (A reviver
 * with access to the source text would say the digits too, but V8's loses members of objects now and then.)
 */
function numbered(value: unknown, reference: unknown): unknown {
  if (typeof reference === 'number') return typeof value === 'string' ? `number ${Number(value)}` : value
  if (Array.isArray(value) && Array.isArray(reference)) {
    return value.map((item, index) => numbered(item, reference[index]))
  }
  if (!isRecord(value) || !isRecord(reference)) return value
  return Object.entries(value).map(([key, part]) => [key, numbered(part, reference[key])])
}

/** Throws where an object of a text that is JSON names a member twice. */
function withoutDuplicates(text: string, value: unknown): unknown {
  const open: string[][] = []
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"\s*:?|[{}]/g)) {
    if (token === '{') open.push([])
    else if (token === '}') open.pop()
    else if (token.endsWith(':')) open.at(-1)?.push(JSON.parse(token.slice(0, -1)))
    if (open.some(keys => new Set(keys).size < keys.length)) throw new SyntaxError('A key comes twice.')
  }
  return value
}

/** The reference in the shape that `numbered` gives. */
function expected(reference: unknown): unknown {
  if (typeof reference === 'number') return `number ${reference}`
  if (Array.isArray(reference)) return reference.map(expected)
  if (!isRecord(reference)) return reference
  return Object.entries(reference).map(([key, part]) => [key, expected(part)])
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : error
  }
}
