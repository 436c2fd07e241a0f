import { describe, expect, it } from 'vitest'
import { deflationOf } from '../../../backtest/search/deflation.ts'
import { normalProbability } from '../../../src/research/statistics/distributions/normal-distribution.ts'

/** Returns of 40 days that alternate between two values, so that skewness is 0 and kurtosis 1. */
const alternating = (mean: number) =>
  Float64Array.from({ length: 40 }, (_, day) => mean + (day % 2 === 0 ? 0.01 : -0.01))
/** A trial of these from day 0. */
const played = (dailyReturns: Float64Array) => ({ firstDay: 0, dailyReturns })
/** Sample deviation of these. */
const DEVIATION = 0.01 * Math.sqrt(40 / 39)

describe('the deflation by trials', () => {
  it('of one trial is the probability that its ratio is above 0', () => {
    const { value } = deflationOf(played(alternating(0.002)), [played(alternating(0.002))])
    expect(value).toMatchObject({ trials: 1, expectedMaximum: 0 })
    // With kurtosis 1 and skewness 0 the variance of the ratio is 1/(n - 1).
    expect(value?.probability.value).toBeCloseTo(normalProbability((0.002 / DEVIATION) * Math.sqrt(39)), 12)
  })

  it('measures against the luck of all trials, those without a ratio included', () => {
    const all = [0.002, 0, -0.002].map(alternating)
    const { value } = deflationOf(played(all[0] as Float64Array), [...all, new Float64Array(40)].map(played))
    // The ratios are r, 0 and -r, so that their sample deviation is r; the best of 4 is at 0.4228·Φ⁻¹(3/4) + 0.5772·Φ⁻¹(1 - 1/4e).
    const ratio = 0.002 / DEVIATION
    const luck = (1 - 0.5772156649015329) * 0.6744897501960817 + 0.5772156649015329 * 1.3288
    expect(value?.trials).toBe(4)
    expect((value?.expectedMaximum as number) / ratio).toBeCloseTo(luck, 3)
  })

  it('is undefined, with the reason, where there is too little', () => {
    expect(deflationOf(played(new Float64Array(29)), [])).toMatchObject({
      reason: 'It needs at least 30 daily returns, and there are 29.',
    })
    const flat = new Float64Array(40)
    expect(deflationOf(played(alternating(0)), [alternating(0), flat].map(played)).reason).toContain(
      'needs two Sharpe ratios, and there are 1',
    )
    expect(deflationOf(played(flat), [played(flat)]).value).toBeUndefined()
  })

  it('takes of trials on other days what they did on the days of the judged one, and 0 on days without them', () => {
    const judged = { firstDay: 100, dailyReturns: alternating(0.002) }
    const other = alternating(-0.002)
    // Ten days before and ten after are left out; ten days in the middle alone are played.
    const longer = {
      firstDay: 90,
      dailyReturns: Float64Array.of(...new Array(10).fill(9), ...other, ...new Array(10).fill(9)),
    }
    const shorter = { firstDay: 110, dailyReturns: other.slice(10, 20) }
    const filled = Float64Array.of(...new Array(10).fill(0), ...other.slice(10, 20), ...new Array(20).fill(0))
    expect(deflationOf(judged, [judged, longer])).toEqual(
      deflationOf(judged, [judged, { firstDay: 100, dailyReturns: other }]),
    )
    expect(deflationOf(judged, [judged, shorter])).toEqual(
      deflationOf(judged, [judged, { firstDay: 100, dailyReturns: filled }]),
    )
    for (const firstDay of [0, 1000]) {
      const apart = { firstDay, dailyReturns: other }
      expect(deflationOf(judged, [judged, longer, apart]).value?.trials).toBe(3)
    }
  })
})
