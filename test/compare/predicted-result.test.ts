import { describe, expect, it } from 'vitest'
import { predictedResult } from '../../src/compare/predicted-result.ts'

/** A hundred round trips that earn 1 or lose 1 in turn: their mean is 0, its standard error 0.1. */
const EVEN = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 1 : -1))

describe('what a backtest predicts of live round trips', () => {
  it('is an interval of two standard errors around the mean of its own', () => {
    const found = predictedResult(EVEN, EVEN)
    expect(found?.lower).toBeCloseTo(-0.196, 1)
    expect(found?.upper).toBeCloseTo(0.196, 1)
    expect(found).toMatchObject({ live: 0, isInside: true, trips: 100, liveTrips: 100 })
  })

  it('is as wide as the mean of as few round trips as live has varies', () => {
    // A mean of 25 has a standard error of 1 / 5, of 5 one of 1 / 2.24: two of them are 0.39 and 0.88.
    const found = predictedResult(EVEN, EVEN.slice(0, 25))
    expect(found?.lower).toBeCloseTo(-0.392, 1)
    expect(found?.upper).toBeCloseTo(0.392, 1)
    expect(predictedResult(EVEN, [-1, -1, -1, 1, -1])).toMatchObject({ live: -0.6, isInside: true })
  })

  it('leaves a result outside that is worse than its lower end', () => {
    expect(predictedResult(EVEN, [-1, -1, -1, -1, -1])).toMatchObject({ live: -1, isInside: false })
  })

  it('says nothing with fewer than five round trips of either run', () => {
    expect(predictedResult(EVEN, [1, 1, 1, 1])).toBeUndefined()
    expect(predictedResult([1, 1, 1, 1], EVEN)).toBeUndefined()
  })
})
