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
import {
  type HaircutSharpes,
  haircutSharpes,
} from '../../../../src/research/statistics/sharpe/haircut-sharpe.ts'
import {
  minimumTrackRecordLength,
  probabilisticSharpe,
  sharpeLowerBound,
} from '../../../../src/research/statistics/sharpe/probabilistic-sharpe.ts'
import { sharpeStandardError } from '../../../../src/research/statistics/sharpe/sharpe-estimate.ts'
import { hasShared } from '../../../shared-data.ts'
import {
  definedValue,
  expectAllNear,
  expectNear,
  expectStatistic,
  referenceCases,
  returnsOfCase,
} from '../reference-cases.ts'

interface EstimateCase {
  readonly sharpe: number
  readonly n: number
  readonly skewness: number
  readonly kurtosis: number
}

const estimateOf = ({ sharpe, n, skewness, kurtosis }: EstimateCase) => ({
  sharpe,
  count: n,
  skewness,
  kurtosis,
})

describe.skipIf(!hasShared('oracles', 'research'))('the reference figures', () => {
  it('of probabilistic Sharpe ratios', () => {
    interface Case extends EstimateCase {
      readonly benchmark: number
      readonly confidence: number
      readonly expected: Record<
        'psr' | 'standardError' | 'minTrackRecordLength' | 'lowerBound',
        number | null
      >
    }
    for (const given of referenceCases<Case>('probabilistic-sharpe')) {
      const { benchmark, confidence, expected } = given
      const estimate = estimateOf(given)
      expectStatistic(probabilisticSharpe(estimate, benchmark), expected.psr, 1e-11)
      expectStatistic(sharpeStandardError(estimate), expected.standardError, 1e-11)
      expectStatistic(
        minimumTrackRecordLength(estimate, benchmark, confidence),
        expected.minTrackRecordLength,
        1e-11,
      )
      expectStatistic(sharpeLowerBound(estimate, confidence), expected.lowerBound, 1e-11)
    }
  })

  it('of expected maxima', () => {
    interface Case {
      readonly trials: number
      readonly expected: { readonly approximation: number; readonly exact: number | null }
    }
    for (const { trials, expected } of referenceCases<Case>('expected-maximum')) {
      expectStatistic(expectedMaximum(trials), expected.approximation, 1e-11)
      expectStatistic(exactExpectedMaximum(trials), expected.exact, 1e-9)
    }
  })

  it('of deflated Sharpe ratios', () => {
    interface Case extends EstimateCase {
      readonly trials: number
      readonly varianceOfTrialSharpes: number
      readonly expected: { readonly expectedMaximum: number; readonly deflatedSharpe: number }
    }
    for (const given of referenceCases<Case>('deflated-sharpe')) {
      const { trials, varianceOfTrialSharpes: variance, expected } = given
      const found = definedValue(deflatedSharpe(estimateOf(given), { trials, variance }))
      expectNear(found.expectedMaximum, expected.expectedMaximum, 1e-11)
      expectStatistic(found.probability, expected.deflatedSharpe, 1e-11)
    }
  })

  it('of minimum backtest lengths', () => {
    interface Case {
      readonly trials: number
      readonly targetAnnualSharpe: number
      readonly expected: { readonly minimumYears: number; readonly upperBound: number }
    }
    for (const { trials, targetAnnualSharpe, expected } of referenceCases<Case>('minimum-backtest-length')) {
      const { minimumYears, upperBound } = definedValue(minimumBacktestLength(trials, targetAnnualSharpe))
      expectNear(minimumYears, expected.minimumYears, 1e-10)
      expectNear(upperBound, expected.upperBound, 1e-10)
    }
  })

  it("of Lo's Sharpe ratios", () => {
    interface Case {
      readonly series?: string
      readonly rho?: number
      readonly periods: number
      readonly expected: {
        readonly eta: number | null
        readonly denominator: number
        readonly annualised: number | null
        readonly firstAutocorrelations: readonly number[]
        readonly sharpe: number
        readonly naive: number
        readonly standardErrorIid: number
      }
    }
    for (const { rho, periods, expected, ...given } of referenceCases<Case>('lo-sharpe')) {
      if (rho !== undefined) {
        const decaying = Array.from({ length: periods - 1 }, (_, index) => rho ** (index + 1))
        expectStatistic(annualisingFactor(decaying, periods).eta, expected.eta, 1e-10)
        continue
      }
      const found = definedValue(annualisedSharpe(returnsOfCase(given), periods))
      expectStatistic(found.factor.eta, expected.eta, 1e-10)
      expectNear(found.factor.denominator, expected.denominator, 1e-10)
      expectStatistic(found.annualised, expected.annualised, 1e-10)
      expectNear(found.sharpe, expected.sharpe, 1e-10)
      expectNear(found.naive, expected.naive, 1e-10)
      expectNear(found.standardError, expected.standardErrorIid, 1e-10)
      expectAllNear(found.autocorrelations.subarray(0, 3), expected.firstAutocorrelations, 1e-10)
    }
  })

  it('of haircuts', () => {
    type Cut = Record<'adjustedP' | 'haircutSharpe', readonly number[]> & {
      readonly haircut: readonly (number | null)[]
    }
    interface Case {
      readonly annualSharpes: readonly number[]
      readonly years: number
      readonly expected: Record<'t' | 'p', readonly number[]> & Record<'bonferroni' | 'holm' | 'bhy', Cut>
    }
    const expectCut = (found: HaircutSharpes, expected: Cut) => {
      expectAllNear(found.adjustedP, expected.adjustedP, 1e-9)
      expect(found.sharpe.length).toBe(expected.haircutSharpe.length)
      for (const [trial, sharpe] of found.sharpe.entries()) {
        expectStatistic(sharpe, expected.haircutSharpe[trial] ?? Number.NaN, 1e-9)
      }
      for (const [trial, haircut] of found.haircut.entries()) {
        expectStatistic(haircut, expected.haircut[trial] ?? null, 1e-9)
      }
    }
    for (const { annualSharpes, years, expected } of referenceCases<Case>('haircut-sharpe')) {
      const found = definedValue(haircutSharpes(annualSharpes, years))
      expectAllNear(found.t, expected.t, 1e-9)
      expectAllNear(found.p, expected.p, 1e-9)
      expectCut(found.bonferroni, expected.bonferroni)
      expectCut(found.holm, expected.holm)
      expectCut(found.bhy, expected.bhy)
    }
  })
})
