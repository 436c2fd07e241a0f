import { describe, expect, it } from 'vitest'
import type { RecordEntry } from '../../../backtest/validation/recorded-strategy.ts'
import { decisionLists, windowStarts } from '../../../backtest/validation/warm-up/window-starts.ts'

const said = (row: number, text: string): RecordEntry => ({
  ...{ what: 'signal', handler: 'onKline', row, time: 0, text },
})
const enter = '{"type":"enter","direction":"long"}'
const exit = '{"type":"exit"}'

describe('decisionLists', () => {
  it('has changes of mind, and apart from them what is said again, where that is enough', () => {
    const entries = [
      ...[0, 1, 2, 3].map(row => said(row, enter)),
      ...[4, 5].map(row => said(row, exit)),
      said(9, exit),
    ]
    expect(decisionLists(entries, 2)).toEqual([
      [0, 4, 9],
      [1, 2, 3, 5],
    ])
    expect(decisionLists(entries, 3)).toEqual([[0, 1, 2, 3, 4, 5, 9]])
  })

  it('has what feeds and timers led to, but not what orders and fills did', () => {
    const by = (handler: string, row: number) => ({ ...said(row, enter), handler })
    expect(
      decisionLists([by('on.daily', 3), by('onFill', 5), by('onOrder', 6), said(9, enter)], 598),
    ).toEqual([[3, 9]])
  })

  it('counts other words where the kind of thing that is said never changes', () => {
    const quotes = (price: number) => `[{"type":"keepQuotes","price":${price}}]`
    const entries = Array.from({ length: 300 }, (_, row) =>
      said(row, quotes(row % 3 === 0 ? row : row - (row % 3))),
    )
    const [changes, repeated] = decisionLists(entries, 50)
    expect(changes).toHaveLength(100)
    expect(repeated).toHaveLength(200)
  })
})

describe('windowStarts', () => {
  const entries = Array.from({ length: 1000 }, (_, index) => said(2 * index, enter))
  const span = { first: 400, last: 1999, most: 600, needed: 598, seed: 1 }

  it('searches on other decisions than it proves on, as many as the proof can spare', () => {
    const { search, proof, of } = windowStarts(entries, span)
    expect([search.length, proof.map(({ length }) => length), of]).toEqual([150, [600], 750])
    expect(new Set([...search, ...proof.flat()]).size).toBe(750)
    expect(Math.min(...search, ...proof.flat())).toBeGreaterThanOrEqual(400)
    // 800 - 598 are more than enough; of 650, 52 can be spared; of 300, a tenth.
    const searched = (first: number) => windowStarts(entries, { ...span, first }).search.length
    expect([700, 1400].map(searched)).toEqual([52, 30])
  })

  it('chooses the same for the same seed, and others for another', () => {
    expect(windowStarts(entries, span)).toEqual(windowStarts(entries, span))
    expect(windowStarts(entries, { ...span, seed: 2 })).not.toEqual(windowStarts(entries, span))
  })
})
