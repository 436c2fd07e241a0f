import { describe, expect, it } from 'vitest'
import {
  futuresTickerBatches,
  spotTickerBatches,
  type WantedTicker,
} from '../../../src/market/polls/ticker-batches.ts'

const wanted = (count: number, everyMs = 1000, name = 'C'): readonly WantedTicker[] =>
  Array.from({ length: count }, (_, index) => ({
    symbol: `${name}${index}/USDT`,
    everyMs,
    slowestMs: 10 * everyMs,
  }))

/** `symbols × weight every ms` of each call. */
const said = (batches: ReturnType<typeof spotTickerBatches>) =>
  batches.map(({ symbols, all, weight, everyMs }) => [all ? 'all' : symbols.length, weight, everyMs])

describe('spotTickerBatches', () => {
  it.each([
    [0, []],
    [1, [[1, 5, 1000]]],
    [20, [[20, 5, 1000]]],
    [
      21,
      [
        [20, 5, 1000],
        [1, 5, 1000],
      ],
    ],
  ])('reads %i symbols by 20, each call of weight 5', (count, expected) => {
    expect(said(spotTickerBatches(wanted(count)))).toEqual(expected)
  })

  it('reads 200 symbols for 50, where one call of all would cost 80', () => {
    const batches = spotTickerBatches(wanted(200))
    expect(batches.map(({ weight }) => weight)).toEqual(Array(10).fill(5))
    expect(new Set(batches.flatMap(({ symbols }) => symbols)).size).toBe(200)
  })

  it('reads every listed symbol in one call (80) once 17 calls of 5 would cost more', () => {
    expect(spotTickerBatches(wanted(320))).toHaveLength(16)
    expect(said(spotTickerBatches(wanted(321)))).toEqual([['all', 80, 1000]])
  })

  it('fills fast calls with slower symbols, which then come faster for nothing', () => {
    const batches = spotTickerBatches([...wanted(10, 5000, 'SLOW'), ...wanted(3, 1000, 'FAST')])
    expect(said(batches)).toEqual([[13, 5, 1000]])
    expect(batches[0]?.slowestMs).toBe(10_000)
  })

  it('keeps many slow symbols apart from a few fast ones', () => {
    // 5 a second for the fast; 17 calls of 5 every minute are far less than 80 a second.
    const batches = spotTickerBatches([...wanted(20, 1000, 'FAST'), ...wanted(340, 60_000, 'SLOW')])
    expect(said(batches)).toEqual([[20, 5, 1000], ...Array(17).fill([20, 5, 60_000])])
  })
})

describe('futuresTickerBatches', () => {
  it('reads all contracts in one call of weight 1', () => {
    expect(said(futuresTickerBatches(wanted(2), true))).toEqual([['all', 1, 1000]])
    expect(said(futuresTickerBatches(wanted(1), true))).toEqual([[1, 1, 1000]])
    expect(futuresTickerBatches([], true)).toEqual([])
  })

  it('reads each contract by itself where no call reads all', () => {
    const batches = futuresTickerBatches([...wanted(2, 1000, 'FAST'), ...wanted(1, 5000, 'SLOW')], false)
    expect(said(batches)).toEqual([
      [1, 1, 1000],
      [1, 1, 1000],
      [1, 1, 5000],
    ])
  })
})
