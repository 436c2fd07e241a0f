import { describe, expect, it } from 'vitest'
import { deflationOf } from '../../../backtest/search/deflation.ts'
import { normalProbability } from '../../../src/research/statistics/distributions/normal-distribution.ts'

/** Returns of 40 days that alternate between two values, so that skewness is 0 and kurtosis 1. */
const alternating = (mean: number) =>
  Float64Array.from({ length: 40 }, (_, day) => mean + (day % 2 === 0 ? 0.01 : -0.01))
/** Sample deviation of these. */
const DEVIATION = 0.01 * Math.sqrt(40 / 39)

describe('the deflation by trials', () => {
  it('of one trial is the probability that its ratio is above 0', () => {
    const { value } = deflationOf(alternating(0.002), [alternating(0.002)])
    expect(value).toMatchObject({ trials: 1, expectedMaximum: 0 })
    // With kurtosis 1 and skewness 0 the variance of the ratio is 1/(n - 1).
    expect(value?.probability.value).toBeCloseTo(normalProbability((0.002 / DEVIATION) * Math.sqrt(39)), 12)
  })

  it('measures against the luck of all trials, those without a ratio included', () => {
    const all = [0.002, 0, -0.002].map(alternating)
    const { value } = deflationOf(all[0] as Float64Array, [...all, new Float64Array(40)])
    // The ratios are r, 0 and -r, so that their sample deviation is r; the best of 4 is at 0.4228·Φ⁻¹(3/4) + 0.5772·Φ⁻¹(1 - 1/4e).
    const ratio = 0.002 / DEVIATION
    const luck = (1 - 0.5772156649015329) * 0.6744897501960817 + 0.5772156649015329 * 1.3288
    expect(value?.trials).toBe(4)
    expect((value?.expectedMaximum as number) / ratio).toBeCloseTo(luck, 3)
  })

  it('is undefined, with the reason, where there is too little', () => {
    expect(deflationOf(new Float64Array(29), [])).toMatchObject({
      reason: 'It needs at least 30 daily returns, and there are 29.',
    })
    const flat = new Float64Array(40)
    expect(deflationOf(alternating(0), [alternating(0), flat]).reason).toContain(
      'needs two Sharpe ratios, and there are 1',
    )
    expect(deflationOf(flat, [flat]).value).toBeUndefined()
  })
})
