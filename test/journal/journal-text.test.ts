import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'

describe('journal text', () => {
  it('keeps plain JSON as it is', () => {
    expect(journalText({ type: 'klineClosed', kline: { open: 1.5 } })).toBe(
      '{"type":"klineClosed","kline":{"open":1.5}}',
    )
  })

  it('keeps money beyond 2^53 exactly', () => {
    expect(fromJournalText(journalText({ fee: 123456789012345678901234567890n }))).toEqual({
      fee: 123456789012345678901234567890n,
    })
  })

  it('keeps what JSON cannot say about numbers', () => {
    const back = fromJournalText(journalText([Number.NaN, -0, Number.NEGATIVE_INFINITY, 0.1]))
    expect(back).toStrictEqual([Number.NaN, -0, Number.NEGATIVE_INFINITY, 0.1])
  })

  it('keeps maps in their order', () => {
    const balances = new Map([
      ['USDT', 5n],
      ['BTC', 2n],
    ])
    const back = fromJournalText(journalText({ balances })) as { balances: typeof balances }
    expect([...back.balances]).toEqual([
      ['USDT', 5n],
      ['BTC', 2n],
    ])
  })

  it('keeps sets in their order, and what stands in them', () => {
    const seen = new Set(['b', 5n, new Set([Number.NaN]), 'a'])
    const back = fromJournalText(journalText({ seen })) as { seen: typeof seen }
    expect([...back.seen]).toStrictEqual(['b', 5n, new Set([Number.NaN]), 'a'])
  })

  it('keeps a record that a Map or a Set is in, with everything beside it', () => {
    const value = { at: 1, orders: new Map([['a', { fee: 1n, ids: new Set([2n]) }]]), note: 'x' }
    expect(fromJournalText(journalText(value))).toStrictEqual(value)
  })

  it('refuses what is not its own text', () => {
    expect(() => fromJournalText('{"a":')).toThrow(SyntaxError)
  })

  it('tells of an error its name and message', () => {
    expect(fromJournalText(journalText({ error: new RangeError('too far') }))).toEqual({
      error: { $error: 'too far', name: 'RangeError' },
    })
  })

  it('gives back any tree of what the engine uses', () => {
    const leaf = fc.oneof(fc.bigInt(), fc.double(), fc.string(), fc.boolean(), fc.constant(null))
    const key = fc.string().filter(name => !name.startsWith('$') && name !== '__proto__')
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree')),
        fc.dictionary(key, tie('tree'), { noNullPrototype: true }),
        fc.array(fc.tuple(fc.string(), tie('tree'))).map(entries => new Map(entries)),
        fc.array(tie('tree')).map(parts => new Set(parts)),
      ),
    }))
    fc.assert(
      fc.property(tree, value => {
        expect(fromJournalText(journalText(value))).toStrictEqual(value)
      }),
    )
  })
})
