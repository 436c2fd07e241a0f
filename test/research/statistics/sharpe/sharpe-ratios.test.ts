import { describe, expect, it } from 'vitest'
import {
  annualisedSharpe,
  annualisingFactor,
} from '../../../../src/research/statistics/sharpe/annualised-sharpe.ts'
import { deflatedSharpe } from '../../../../src/research/statistics/sharpe/deflated-sharpe.ts'
import {
  exactExpectedMaximum,
  expectedMaximum,
  minimumBacktestLength,
} from '../../../../src/research/statistics/sharpe/expected-maximum.ts'
import { haircutSharpes } from '../../../../src/research/statistics/sharpe/haircut-sharpe.ts'
import {
  adjustedByBhy,
  adjustedByBonferroni,
  adjustedByHolm,
} from '../../../../src/research/statistics/sharpe/multiple-tests.ts'
import {
  minimumTrackRecordLength,
  probabilisticSharpe,
  sharpeLowerBound,
} from '../../../../src/research/statistics/sharpe/probabilistic-sharpe.ts'
import {
  sharpeEstimate,
  sharpeStandardError,
} from '../../../../src/research/statistics/sharpe/sharpe-estimate.ts'
import { definedValue, expectAllNear, expectNear, SENTENCE } from '../reference-cases.ts'

/** V is 1 + 2/4·0.25 = 1.125, and the error √(1.125 ÷ 18) = 0.25: the ratio is two errors above 0. */
const TWO_ERRORS = { sharpe: 0.5, count: 19, skewness: 0, kurtosis: 3 }
/** Φ(2). */
const AT_TWO = 0.9772498680518208

describe('the Sharpe ratio of a sample', () => {
  it('is mean ÷ sample deviation, with moments of the population', () => {
    // Mean 2, distances -1, -1, 2: squares 6, cubes 6, fourth powers 18.
    const { sharpe, skewness, kurtosis, count } = definedValue(sharpeEstimate([1, 1, 4]))
    expect(count).toBe(3)
    expectNear(sharpe, 2 / Math.sqrt(3), 1e-14)
    expectNear(skewness, 2 / 2 ** 1.5, 1e-14)
    expectNear(kurtosis, 6 / 4, 1e-14)
  })

  it.each([
    ['no returns', []],
    ['one return', [0.01]],
    ['a return that is not a number', [0.01, Number.NaN, 0.02]],
    ['an infinite return', [0.01, Number.POSITIVE_INFINITY]],
    ['equal returns, whose computed deviation is not 0', Array.from({ length: 40 }, () => 0.001)],
    ['zeros', [0, 0, 0]],
    ['an account that lost everything, though it had earned more', [0.5, 2, -1, 0]],
  ])('is undefined for %s', (_, returns) => {
    expect(sharpeEstimate(returns)).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })
})

describe('its probability and error', () => {
  it('are those of two errors above the benchmark', () => {
    expectNear(sharpeStandardError(TWO_ERRORS).value, 0.25, 1e-15)
    expectNear(probabilisticSharpe(TWO_ERRORS).value, AT_TWO, 1e-14)
    expectNear(probabilisticSharpe(TWO_ERRORS, 0.5).value, 0.5, 1e-15)
    expectNear(sharpeLowerBound(TWO_ERRORS, AT_TWO).value, 0, 1e-12)
    expectNear(minimumTrackRecordLength(TWO_ERRORS, 0, AT_TWO).value, 19, 1e-12)
  })

  it.each([
    ['an error of one return', sharpeStandardError({ ...TWO_ERRORS, count: 1 })],
    [
      'an error without variance',
      sharpeStandardError({ sharpe: 3, count: 50, skewness: 3.9, kurtosis: 4.5 }),
    ],
    [
      'a probability without variance',
      probabilisticSharpe({ sharpe: 3, count: 50, skewness: 3.9, kurtosis: 4.5 }),
    ],
    ['a ratio that is not a number', probabilisticSharpe({ ...TWO_ERRORS, sharpe: Number.NaN })],
    ['a benchmark that is not a number', probabilisticSharpe(TWO_ERRORS, Number.NaN)],
    ['a bound of certainty', sharpeLowerBound(TWO_ERRORS, 1)],
    ['a length for a ratio at its benchmark', minimumTrackRecordLength(TWO_ERRORS, 0.5, 0.95)],
    ['a length for certainty', minimumTrackRecordLength(TWO_ERRORS, 0, 1)],
  ])('are undefined: %s', (_, statistic) => {
    expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })
})

describe('the expected largest of several trials', () => {
  it('is known in closed form for two and three', () => {
    expectNear(exactExpectedMaximum(2).value, 1 / Math.sqrt(Math.PI), 1e-12)
    expectNear(exactExpectedMaximum(3).value, 1.5 / Math.sqrt(Math.PI), 1e-12)
  })

  it('is 0 for one, never below it, and grows with their number', () => {
    expect([expectedMaximum(1).value, exactExpectedMaximum(1).value, expectedMaximum(1.01).value]).toEqual([
      0, 0, 0,
    ])
    const maxima = [1.5, 2, 3, 10, 100, 1e6, 1e12].map(trials => expectedMaximum(trials).value ?? Number.NaN)
    expect(maxima).toEqual(maxima.toSorted((left, right) => left - right))
  })

  it.each([
    ['no trials', expectedMaximum(0)],
    ['a part of a trial', expectedMaximum(0.5)],
    ['trials without number', expectedMaximum(Number.NaN)],
    ['infinitely many', exactExpectedMaximum(Number.POSITIVE_INFINITY)],
    ['the largest of 1.5 trials', exactExpectedMaximum(1.5)],
    ['years for no trials', minimumBacktestLength(0, 1)],
    ['years for no target', minimumBacktestLength(10, 0)],
    ['a deflated ratio of no trials', deflatedSharpe(TWO_ERRORS, { trials: 0, variance: 0.1 })],
    ['a deflated ratio of a negative variance', deflatedSharpe(TWO_ERRORS, { trials: 9, variance: -1 })],
  ])('is undefined for %s', (_, statistic) => {
    expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })

  it('deflates nothing for one trial, and more for more', () => {
    const probabilities = [1, 2, 10, 1000].map(trials => {
      const { probability } = definedValue(deflatedSharpe(TWO_ERRORS, { trials, variance: 0.01 }))
      return probability.value ?? Number.NaN
    })
    expectNear(probabilities[0], AT_TWO, 1e-14)
    expect(probabilities).toEqual(probabilities.toSorted((left, right) => right - left))
  })
})

describe('annualising', () => {
  it('multiplies by q ÷ √(q + 2·Σ (q - k)·ρ)', () => {
    expectNear(annualisingFactor([0.5], 2).eta.value, 2 / Math.sqrt(3), 1e-15)
    expectNear(annualisingFactor([0, 0, 0], 4).eta.value, 2, 1e-15)
  })

  it('measures the autocorrelations itself', () => {
    // Distances -1.5, -0.5, 0.5, 1.5: ρ of lag 1 is 1.25 ÷ 5.
    const { autocorrelations, factor, annualised, naive } = definedValue(annualisedSharpe([1, 2, 3, 4], 2))
    expectAllNear(autocorrelations, [0.25], 1e-15)
    const sharpe = 2.5 / Math.sqrt(5 / 3)
    expectNear(factor.denominator, 2.5, 1e-15)
    expectNear(annualised.value, (2 / Math.sqrt(2.5)) * sharpe, 1e-14)
    expectNear(naive, Math.SQRT2 * sharpe, 1e-14)
  })

  it.each([
    ['opposite returns together', annualisingFactor([-1], 2).eta],
    ['more periods than returns', annualisedSharpe([1, 2, 3], 4)],
    ['a part of a period', annualisedSharpe([1, 2, 3], 1.5)],
    ['equal returns', annualisedSharpe([1, 1, 1], 2)],
  ])('is undefined for %s', (_, statistic) => {
    expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })
})

describe('adjusting for several tests', () => {
  const p = Float64Array.of(0.04, 0.01, 0.02)

  it('multiplies p-values as the methods say', () => {
    expectAllNear(adjustedByBonferroni(p), [0.12, 0.03, 0.06], 1e-14)
    expectAllNear(adjustedByHolm(p), [0.04, 0.03, 0.04], 1e-14)
    // 1 + 1/2 + 1/3 = 11/6; the second smallest makes 0.01 × 3 × 11/6 no smaller.
    expectAllNear(adjustedByBhy(p), [(0.04 * 11) / 6, (0.02 * 1.5 * 11) / 6, (0.02 * 1.5 * 11) / 6], 1e-14)
  })

  it('leaves the only trial as it is, and cuts others', () => {
    expectNear(definedValue(haircutSharpes([1.5], 4)).bonferroni.haircut[0]?.value, 0, 1e-12)
    const { holm, bonferroni } = definedValue(haircutSharpes([1.5, -0.5], 4))
    expect(holm.sharpe[0]?.value).toBeLessThan(1.5)
    expect(holm.sharpe[1]?.value).toBeLessThanOrEqual(0)
    expect(bonferroni.haircut[0]?.value).toBeGreaterThan(0)
  })

  it('has no number for a p-value that no double holds, and nothing to cut of 0', () => {
    const { holm } = definedValue(haircutSharpes([60, 0], 1))
    expect(holm.sharpe[0]?.reason).toMatch(SENTENCE)
    expect(holm.haircut[0]?.reason).toMatch(SENTENCE)
    expect(holm.haircut[1]?.reason).toMatch(SENTENCE)
  })

  it.each([
    ['no trials', haircutSharpes([], 1)],
    ['a trial without ratio', haircutSharpes([1, Number.NaN], 1)],
    ['no record', haircutSharpes([1], 0)],
  ])('is undefined for %s', (_, statistic) => {
    expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
  })
})
