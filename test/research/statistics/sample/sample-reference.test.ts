import { describe, expect, it } from 'vitest'
import {
  normalProbability,
  normalQuantile,
} from '../../../../src/research/statistics/distributions/normal-distribution.ts'
import { studentProbability } from '../../../../src/research/statistics/distributions/student-distribution.ts'
import { momentsOf } from '../../../../src/research/statistics/sample/moments.ts'
import { neweyWest } from '../../../../src/research/statistics/sample/newey-west.ts'
import { sharpeEstimate } from '../../../../src/research/statistics/sharpe/sharpe-estimate.ts'
import { hasShared } from '../../../shared-data.ts'
import { definedValue, expectNear, referenceCases, returnsOfCase, SENTENCE } from '../reference-cases.ts'

describe.skipIf(!hasShared('oracles', 'research'))('the reference figures', () => {
  it('of moments', () => {
    interface Case {
      readonly returns: readonly number[]
      readonly expected: Record<'n' | 'mean' | 'std' | 'skewness' | 'kurtosis' | 'sharpe', number> | null
    }
    for (const { returns, expected } of referenceCases<Case>('moments')) {
      const found = sharpeEstimate(returns)
      if (expected === null) {
        expect(found).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
        continue
      }
      const { sharpe, skewness, kurtosis, count } = definedValue(found)
      expect(count).toBe(expected.n)
      expectNear(sharpe, expected.sharpe, 1e-12)
      expectNear(skewness, expected.skewness, 1e-12)
      expectNear(kurtosis, expected.kurtosis, 1e-12)
      expectNear(momentsOf(returns).mean, expected.mean, 1e-12)
      expectNear(momentsOf(returns).deviation, expected.std, 1e-12)
    }
  })

  it('of distributions', () => {
    type Case =
      | { readonly of: 'normalCdf' | 'normalQuantile'; readonly x: number; readonly expected: number }
      | { readonly of: 'studentCdf'; readonly x: number; readonly df: number; readonly expected: number }
    for (const given of referenceCases<Case>('special-functions')) {
      const { x, expected } = given
      if (given.of === 'studentCdf') expectNear(studentProbability(x, given.df), expected, 1e-10)
      else if (given.of === 'normalQuantile') expectNear(normalQuantile(x), expected, 1e-12)
      else {
        expect(Math.abs(normalProbability(x) - expected)).toBeLessThanOrEqual(1e-15)
        if (x >= -20) expectRelative(normalProbability(x), expected, 1e-8)
      }
    }
  })

  it('of Newey and West', () => {
    interface Case {
      readonly series: string
      readonly lags: number
      readonly smallSample: boolean
      readonly expected: Record<'mean' | 'standardError' | 't' | 'p', number>
    }
    for (const { series, lags, smallSample, expected } of referenceCases<Case>('newey-west')) {
      const found = definedValue(neweyWest(returnsOfCase({ series }), { lags, smallSample }))
      expectNear(found.mean, expected.mean, 1e-9)
      expectNear(found.standardError, expected.standardError, 1e-9)
      expectNear(found.t, expected.t, 1e-9)
      expectNear(found.p, expected.p, 1e-9)
    }
  })
})

/** Without the allowance for zero: small probabilities count. */
function expectRelative(actual: number, expected: number, tolerance: number): void {
  expect(Math.abs(actual / expected - 1)).toBeLessThanOrEqual(tolerance)
}
