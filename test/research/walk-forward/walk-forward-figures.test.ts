import { describe, expect, it } from 'vitest'
import { stitchedRecord, totalReturn } from '../../../src/research/walk-forward/daily-record.ts'
import { newerHalf, walkForwardEfficiency } from '../../../src/research/walk-forward/efficiency.ts'
import { parameterDrift } from '../../../src/research/walk-forward/parameter-drift.ts'
import { SENTENCE } from '../statistics/reference-cases.ts'

const record = (firstDay: number, ...returns: number[]) => ({ firstDay, returns: Float64Array.from(returns) })

describe('stitched records', () => {
  it('compound a day that two share, and have 0 on a day between', () => {
    const { firstDay, returns } = stitchedRecord([record(7, 0.1, 0.2), record(8, 0.5), record(10, -0.1)])
    expect(firstDay).toBe(7)
    // 1.2 × 1.5 = 1.8
    const expected = [0.1, 0.8, 0, -0.1]
    expect(returns).toHaveLength(4)
    for (const [day, value] of expected.entries()) expect(returns[day]).toBeCloseTo(value, 14)
    // 1.1 × 1.8 × 0.9 = 1.782
    expect(totalReturn(returns)).toBeCloseTo(0.782, 14)
  })

  it('of nothing are nothing', () => {
    expect(stitchedRecord([]).returns).toHaveLength(0)
    expect(totalReturn([])).toBe(0)
  })
})

describe('walk-forward efficiency', () => {
  it('is the mean return out of sample ÷ that in sample, by days of the tests', () => {
    // Kept 0.01 + 0.03 - 0.01 = 0.03; promised 0.02 × 2 + 0.04 × 1 = 0.08.
    const windows = [
      { inSample: [0.01, 0.03], outOfSample: [0.01, 0.03] },
      { inSample: [0.04], outOfSample: [-0.01] },
    ]
    expect(walkForwardEfficiency(windows).value).toBeCloseTo(0.375, 14)
  })

  it('is undefined where the trainings earned nothing, without windows, for missing returns and after a ruin', () => {
    for (const windows of [
      [{ inSample: [-0.01], outOfSample: [0.5] }],
      [],
      [{ inSample: [Number.NaN], outOfSample: [0.5] }],
      [{ inSample: [0.1], outOfSample: [] }],
      [{ inSample: [0.1], outOfSample: [4, -1, 0] }],
    ]) {
      expect(walkForwardEfficiency(windows)).toEqual({
        value: undefined,
        reason: expect.stringMatching(SENTENCE),
      })
    }
  })

  it('looks at the newer half of the windows, the middle one included', () => {
    expect(newerHalf([1, 2, 3, 4])).toEqual([3, 4])
    expect(newerHalf([1, 2, 3])).toEqual([2, 3])
    expect(newerHalf([1])).toEqual([1])
  })
})

describe('parameter drift', () => {
  it('counts changes, and sizes those of numbers', () => {
    const chosen = [
      { fast: 5, side: 'long' },
      { fast: 5, side: 'short' },
      { fast: 11, side: 'short' },
    ]
    expect(parameterDrift(chosen)).toEqual([
      { name: 'fast', values: [5, 5, 11], changes: 1, meanStep: 3 },
      { name: 'side', values: ['long', 'short', 'short'], changes: 1, meanStep: undefined },
    ])
    expect(parameterDrift(chosen.slice(0, 1))[0]?.meanStep).toBeUndefined()
    expect(parameterDrift([])).toEqual([])
  })
})
