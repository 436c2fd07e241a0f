import { describe, expect, it } from 'vitest'
import { meanPerDeviation, momentsOf } from '../../../../src/research/statistics/sample/moments.ts'
import { automaticLags, neweyWest } from '../../../../src/research/statistics/sample/newey-west.ts'
import { sumOf } from '../../../../src/research/statistics/sample/sum.ts'
import { definedValue, expectNear, SENTENCE } from '../reference-cases.ts'

describe('a sum', () => {
  it.each([0, 1, 7, 8, 9, 127, 128, 129, 300, 1000])(
    'of the first %d whole numbers is n·(n + 1)/2',
    count => {
      const numbers = Array.from({ length: count }, (_, index) => index + 1)
      expect(sumOf(numbers)).toBe((count * (count + 1)) / 2)
    },
  )

  it('of a million tenths is right to the last digits', () => {
    expectNear(sumOf(new Float64Array(1e6).fill(0.1)), 1e5, 1e-15)
  })
})

it('mean ÷ deviation is that of the moments', () => {
  const values = Float64Array.of(0.01, -0.02, 0.03, 0.015)
  const { mean, deviation } = momentsOf(values)
  expect(meanPerDeviation(values, new Float64Array(4))).toBe(mean / deviation)
  expect(meanPerDeviation(new Float64Array(4).fill(0.001), new Float64Array(4))).toBeNaN()
})

describe('the test of Newey and West', () => {
  it('adds weighted autocovariances to the variance', () => {
    // Distances -1.5, -0.5, 0.5, 1.5: g_0 = 1.25, g_1 = 1.25/4; S = 1.25 + 2·1/2·0.3125 = 1.5625, error √(S/4) = 0.625.
    const { mean, standardError, t, lags } = definedValue(neweyWest([1, 2, 3, 4], { lags: 1 }))
    expect([mean, lags]).toEqual([2.5, 1])
    expectNear(standardError, 0.625, 1e-15)
    expectNear(t, 4, 1e-15)
    const small = definedValue(neweyWest([1, 2, 3, 4], { lags: 1, smallSample: true }))
    expectNear(small.standardError, 0.625 * Math.sqrt(4 / 3), 1e-15)
  })

  it('chooses lags by the length of the record', () => {
    expect([2, 50, 100, 1000, 1e6].map(automaticLags)).toEqual([1, 3, 4, 6, 30])
    expect(definedValue(neweyWest([1, 2, 3, 4, 0, 2])).lags).toBe(2)
  })

  it.each([
    ['as many lags as returns', neweyWest([1, 2, 3], { lags: 3 })],
    ['a part of a lag', neweyWest([1, 2, 3], { lags: 0.5 })],
    ['equal returns', neweyWest([1, 1, 1])],
    ['no returns', neweyWest([])],
  ])('is undefined for %s', (_, statistic) => {
    expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })
})
