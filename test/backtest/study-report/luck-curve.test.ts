import { describe, expect, it } from 'vitest'
import { luckCurve } from '../../../backtest/study-report/luck-curve.ts'

/** Ratios whose annual deviation is 2. */
const variance = 4 / 365

describe('the curve of luck', () => {
  it('counts at each place the different trials up to it, and those that stand at none before all', () => {
    // Expected maxima of 1, 2 and 3 normal variables, by 0.42278·Φ⁻¹(1 - 1/n) + 0.57722·Φ⁻¹(1 - 1/ne): 0, 0.51976, 0.85280.
    const places = Float64Array.of(0, 1, 1, 2, 2)
    const heights = (trials: number) => luckCurve(places, { trials, variance }).map(([, height]) => height)
    expect(luckCurve(places, { trials: 2, variance }).map(([place]) => place)).toEqual([1, 2, 3, 4, 5])
    expect(heights(2)).toEqual([0, 0, 0, 2 * 0.51976, 2 * 0.51976].map(of => expect.closeTo(of, 4)))
    const [first, second, third, , last] = heights(3)
    expect([first, second, third]).toEqual([0, 2 * 0.51976, 2 * 0.51976].map(of => expect.closeTo(of, 4)))
    expect(last).toBeCloseTo(2 * 0.8528, 4)
  })

  it('is empty for one trial', () => {
    expect(luckCurve(Float64Array.of(1), { trials: 1, variance: 0 })).toEqual([])
  })
})
