import { describe, expect, it } from 'vitest'
import { cutPoints } from '../../../backtest/trust/cut-points.ts'
import type { RecordEntry } from '../../../backtest/trust/recorded-strategy.ts'

const entry = (what: RecordEntry['what'], row: number): RecordEntry => ({
  what,
  handler: what === 'signal' ? 'onKline' : 'onFill',
  row,
  time: 0,
  text: '',
})

describe('cutPoints', () => {
  it('takes every row but the last of a short run', () => {
    expect(cutPoints({ count: 5, klines: 4, entries: [], seed: 1 })).toEqual([0, 1, 2])
    expect(cutPoints({ count: 5, klines: 1, entries: [], seed: 1 })).toEqual([])
  })

  it('takes the rows of decisions and those before fills for up to a half', () => {
    const entries = [entry('signal', 40), entry('fill', 71)]
    const points = cutPoints({ count: 10, klines: 1000, entries, seed: 1 })
    expect(points).toHaveLength(10)
    expect(points).toEqual(expect.arrayContaining([40, 70]))
    expect(points).toEqual([...points].sort((left, right) => left - right))
    expect(new Set(points).size).toBe(10)
  })

  it('spreads over the whole run', () => {
    const points = cutPoints({ count: 20, klines: 2001, entries: [], seed: 9 })
    for (const [index, point] of points.entries()) expect(Math.floor(point / 100)).toBe(index)
  })
})
