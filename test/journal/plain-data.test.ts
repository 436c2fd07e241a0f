import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { isPlainData } from '../../src/journal/plain-data.ts'

class Average {
  sum = 0
}

const circle: Record<string, unknown> = { name: 'a' }
circle.itself = circle
const ring: unknown[] = []
ring.push(new Map([['ring', ring]]))

/** A value that no journal can give back, by its name. */
const ODD: readonly (readonly [name: string, value: unknown])[] = [
  ['a function', () => 1],
  ['a function that inherits nothing', Object.setPrototypeOf(() => 1, null)],
  ['a symbol', Symbol('a')],
  ['an instance of a class', new Average()],
  ['a date', new Date(0)],
  ['an error', new Error('a')],
  ['a typed array', Float64Array.of(1)],
  ['undefined in a list', [undefined]],
  ['a list with holes', new Array(3)],
  ['undefined in a Set', new Set([undefined])],
  ['undefined in a Map', new Map([['a', undefined]])],
  ['a record that refers to itself', circle],
  ['a list that refers to itself by way of a Map', ring],
  ['a record that reads back as a bigint', { $bigint: '5' }],
  ['a record that reads back as a number', { $number: 'NaN' }],
  ['a record that reads back as a Map', { $map: [] }],
  ['a record that reads back as a Set', { $set: [] }],
]

describe('plain data', () => {
  it.each(ODD)('is not %s, wherever it stands', (_name, odd) => {
    for (const value of [odd, [1, odd], { a: 1, b: odd }, new Map([[1, odd]]), new Map([[odd, 1]])])
      expect(isPlainData(value)).toBe(false)
    expect(isPlainData(new Set([1, odd]))).toBe(false)
    expect(isPlainData({ deep: [new Map([['a', { list: [1, odd] }]])] })).toBe(false)
  })

  it.each([
    ['a list', [1, 'a', null]],
    ['a Map', new Map([['a', 1n]])],
    ['a Set', new Set([true, Number.NaN])],
    ['a record, also with nothing at a key', { a: 1, b: undefined }],
  ])('is %s', (_name, value) => {
    expect(isPlainData(value)).toBe(true)
  })

  it('may show the same value twice', () => {
    const level = { price: 100 }
    expect(isPlainData({ first: level, second: [level, level] })).toBe(true)
  })

  it('may have records that inherit nothing', () => {
    expect(isPlainData(Object.assign(Object.create(null), { a: 1 }))).toBe(true)
  })

  it('reads back from a journal as it was', () => {
    const leaf = fc.oneof(
      fc.bigInt(),
      fc.double(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom(...ODD.map(([, odd]) => odd)),
    )
    const key = fc.oneof(fc.string(), fc.constantFrom('$bigint', '$number', '$map', '$set', '$error'))
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
        fc.array(fc.tuple(tie('tree'), tie('tree'))).map(entries => new Map(entries)),
        fc.array(tie('tree')).map(parts => new Set(parts)),
      ),
    }))
    fc.assert(
      fc.property(tree, value => {
        fc.pre(isPlainData(value))
        expect(fromJournalText(journalText(value))).toStrictEqual(value)
      }),
      { numRuns: 200 },
    )
  })
})
