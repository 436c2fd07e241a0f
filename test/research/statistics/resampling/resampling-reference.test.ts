import { describe, expect, it } from 'vitest'
import { bcaSharpeInterval } from '../../../../src/research/statistics/resampling/bca-interval.ts'
import { optimalBlockLength } from '../../../../src/research/statistics/resampling/block-length.ts'
import {
  basicInterval,
  bootstrapMean,
  bootstrapSharpe,
  bootstrapStandardError,
  percentileInterval,
  shareNotPositive,
} from '../../../../src/research/statistics/resampling/bootstrap.ts'
import { signFlipTest } from '../../../../src/research/statistics/resampling/permutation-test.ts'
import { fillStationary } from '../../../../src/research/statistics/resampling/resamples.ts'
import {
  pathQuantiles,
  resampledTrades,
} from '../../../../src/research/statistics/resampling/trade-resampling.ts'
import { hasShared } from '../../../shared-data.ts'
import {
  definedValue,
  expectAllNear,
  expectNear,
  givenResamples,
  referenceCases,
  returnsOfCase,
  SENTENCE,
} from '../reference-cases.ts'

type Rows = readonly (readonly number[])[]

describe.skipIf(!hasShared('oracles', 'research'))('the reference figures', () => {
  it('of stationary resamples', () => {
    interface Case {
      readonly n: number
      readonly meanBlock: number
      readonly starts: readonly number[]
      readonly uniforms: readonly number[]
      readonly expected: readonly number[]
    }
    for (const { n, meanBlock, starts, uniforms, expected } of referenceCases<Case>('stationary-indices')) {
      const indices = new Int32Array(n)
      const drawn = (draws: readonly number[]) => (place: number) => draws[place] ?? Number.NaN
      fillStationary(indices, meanBlock, { start: drawn(starts), uniform: drawn(uniforms) })
      expect([...indices]).toEqual(expected)
    }
  })

  it('of optimal block lengths', () => {
    interface Case {
      readonly series: string
      readonly transform?: 'square'
      readonly expected: Record<'stationary' | 'circular', number>
    }
    for (const { series, transform, expected } of referenceCases<Case>('optimal-block-length')) {
      const returns = returnsOfCase({ series })
      const given = transform === 'square' ? returns.map(value => value ** 2) : returns
      const found = definedValue(optimalBlockLength(given))
      expectNear(found.stationary, expected.stationary, 1e-9)
      expectNear(found.circular, expected.circular, 1e-9)
    }
  })

  it('of bootstrap intervals', () => {
    type Pair = readonly [number, number]
    interface Expected {
      readonly mean: number
      readonly sharpe: number | null
      readonly meanPercentile95: Pair
      readonly means5: readonly number[]
      readonly sharpes5: readonly number[]
      readonly meanBasic95: Pair
      readonly meanPercentile90: Pair
      readonly meanStandardError: number
      readonly undefinedSharpes: number
      readonly sharpePercentile95: Pair
      readonly sharpeBasic95: Pair
      readonly pMeanNotPositive: number
      readonly sharpeBca95: {
        readonly bias: number
        readonly acceleration: number
        readonly interval: Pair
      } | null
    }
    interface Case {
      readonly series?: string
      readonly returns?: readonly number[]
      readonly indices: Rows
      readonly expected: Expected
    }
    for (const { indices, expected, ...given } of referenceCases<Case>('bootstrap-intervals')) {
      const returns = returnsOfCase(given)
      const mean = definedValue(bootstrapMean(returns, givenResamples(indices)))
      const ratio = bootstrapSharpe(returns, givenResamples(indices))
      expectNear(mean.observed, expected.mean, 1e-10)
      expectAllNear(percentileInterval(mean, 0.95), expected.meanPercentile95, 1e-10)
      if (expected.sharpe === null) {
        expect(ratio).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
        continue
      }
      for (const [number, row] of indices.slice(0, 5).entries()) {
        const resample = givenResamples([row])
        expectNear(
          bootstrapMean(returns, resample).value?.resampled[0],
          expected.means5[number] as number,
          1e-10,
        )
        const resampled = bootstrapSharpe(returns, resample).value?.resampled[0]
        const ratioOfResample = expected.sharpes5[number] as number
        if (Number.isFinite(ratioOfResample)) expectNear(resampled, ratioOfResample, 1e-10)
        else expect(resampled).toBeUndefined()
      }
      expectAllNear(basicInterval(mean, 0.95), expected.meanBasic95, 1e-10)
      expectAllNear(percentileInterval(mean, 0.9), expected.meanPercentile90, 1e-10)
      expectNear(bootstrapStandardError(mean), expected.meanStandardError, 1e-10)
      expectNear(shareNotPositive(mean), expected.pMeanNotPositive, 1e-10)
      const sharpe = definedValue(ratio)
      expectNear(sharpe.observed, expected.sharpe, 1e-10)
      expect(sharpe.undefinedCount).toBe(expected.undefinedSharpes)
      expectAllNear(percentileInterval(sharpe, 0.95), expected.sharpePercentile95, 1e-10)
      expectAllNear(basicInterval(sharpe, 0.95), expected.sharpeBasic95, 1e-10)
      const bca = bcaSharpeInterval(sharpe, returns, 0.95)
      if (expected.sharpeBca95 === null) expect(bca.reason).toMatch(SENTENCE)
      else {
        expectNear(bca.value?.bias, expected.sharpeBca95.bias, 1e-10)
        expectNear(bca.value?.acceleration, expected.sharpeBca95.acceleration, 1e-10)
        expectAllNear(definedValue(bca).interval, expected.sharpeBca95.interval, 1e-10)
      }
    }
  })

  it('of sign flips', () => {
    interface Case {
      readonly returns: readonly number[]
      readonly signs: Rows
      readonly expected: { readonly statistic: number; readonly p: number }
    }
    for (const { returns, signs, expected } of referenceCases<Case>('permutation-p')) {
      const fill = (number: number, flipped: Int8Array) => flipped.set(signs[number] ?? [])
      const found = definedValue(signFlipTest(returns, { count: signs.length, fill }))
      expectNear(found.observed, expected.statistic, 1e-12)
      expect(found.p).toBe(expected.p)
    }
  })

  it('of reshuffled and resampled trades', () => {
    type Quantiles = Record<string, number>
    interface Case {
      readonly tradeReturns: readonly number[]
      readonly permutations: Rows
      readonly draws: Rows
      readonly expected: Record<'finalFactor' | 'maxDrawdown' | 'longestLosingStreak', number> & {
        readonly reshuffled: Record<'maxDrawdown' | 'longestLosingStreak', Quantiles> & {
          readonly shareWorseThanObserved: number
        }
        readonly resampled: Record<'maxDrawdown' | 'finalFactor', Quantiles> & {
          readonly shareLosing: number
        }
      }
    }
    const expectQuantiles = (figures: Float64Array, expected: Quantiles) => {
      expectAllNear(pathQuantiles(figures, Object.keys(expected).map(Number)), Object.values(expected), 1e-10)
    }
    for (const { tradeReturns, permutations, draws, expected } of referenceCases<Case>('trade-resampling')) {
      const reshuffled = definedValue(resampledTrades(tradeReturns, givenResamples(permutations)))
      const resampled = definedValue(resampledTrades(tradeReturns, givenResamples(draws)))
      for (const name of ['finalFactor', 'maxDrawdown', 'longestLosingStreak'] as const) {
        expectNear(reshuffled.observed[name], expected[name], 1e-10)
      }
      expectQuantiles(reshuffled.paths.maxDrawdown, expected.reshuffled.maxDrawdown)
      expectQuantiles(reshuffled.paths.longestLosingStreak, expected.reshuffled.longestLosingStreak)
      expectNear(reshuffled.shareWorseThanObserved, expected.reshuffled.shareWorseThanObserved, 1e-12)
      expectQuantiles(resampled.paths.finalFactor, expected.resampled.finalFactor)
      expectQuantiles(resampled.paths.maxDrawdown, expected.resampled.maxDrawdown)
      expectNear(resampled.shareLosing, expected.resampled.shareLosing, 1e-12)
    }
  })
})
