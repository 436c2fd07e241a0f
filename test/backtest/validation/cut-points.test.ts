import { describe, expect, it } from 'vitest'
import { cutPoints } from '../../../backtest/validation/causality/cut-points.ts'
import type { RecordEntry } from '../../../backtest/validation/recorded-strategy.ts'

const entry = (what: RecordEntry['what'], row: number): RecordEntry => ({
  what,
  handler: what === 'signal' ? 'onKline' : 'onFill',
  row,
  time: 0,
  text: '',
})

describe('cutPoints', () => {
  it('takes every row but the last of a short run', () => {
    expect(cutPoints({ count: 5, klines: 4, entries: [], seed: 1 }).rows).toEqual([0, 1, 2])
    const some = cutPoints({ count: 5, klines: 4, entries: [entry('signal', 1)], seed: 1 })
    expect(some).toEqual({ rows: [0, 1, 2], active: { tested: 1, of: 1 }, silent: { tested: 2, of: 2 } })
    expect(cutPoints({ count: 5, klines: 1, entries: [], seed: 1 }).rows).toEqual([])
  })

  it('takes the rows of decisions and those before fills for up to a half', () => {
    const entries = [entry('signal', 40), entry('fill', 71)]
    const { rows: points, active, silent } = cutPoints({ count: 10, klines: 1000, entries, seed: 1 })
    expect([active, silent]).toEqual([
      { tested: 2, of: 2 },
      { tested: 8, of: 997 },
    ])
    expect(points).toHaveLength(10)
    expect(points).toEqual(expect.arrayContaining([40, 70]))
    expect(points).toEqual([...points].sort((left, right) => left - right))
    expect(new Set(points).size).toBe(10)
  })

  it('takes as many rows at which nothing was decided', () => {
    const entries = Array.from({ length: 600 }, (_, row) => entry('signal', row))
    const { rows, active, silent } = cutPoints({ count: 100, klines: 1001, entries, seed: 1 })
    expect([active, silent]).toEqual([
      { tested: 50, of: 600 },
      { tested: 50, of: 400 },
    ])
    expect(rows.filter(row => row >= 600)).toHaveLength(50)
    expect(new Set(rows).size).toBe(100)
  })

  it('spreads over the whole run', () => {
    const { rows: points } = cutPoints({ count: 20, klines: 2001, entries: [], seed: 9 })
    for (const [index, point] of points.entries()) expect(Math.floor(point / 100)).toBe(index)
  })
})
