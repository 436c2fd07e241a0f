import { describe, expect, it } from 'vitest'
import { quantileOf } from '../../../../src/research/statistics/sample/quantile.ts'
import { backtestOverfitting } from '../../../../src/research/statistics/trials/backtest-overfitting.ts'
import { effectiveTrials } from '../../../../src/research/statistics/trials/effective-trials.ts'
import {
  type SuperiorAbilityTest,
  superiorAbility,
} from '../../../../src/research/statistics/trials/superior-ability.ts'
import { hasShared } from '../../../shared-data.ts'
import {
  columnsOf,
  definedValue,
  expectAllNear,
  expectNear,
  givenResamples,
  referenceCases,
  SENTENCE,
} from '../reference-cases.ts'

type Rows = readonly (readonly number[])[]

describe.skipIf(!hasShared('oracles', 'research'))('the reference figures', () => {
  it('of effective numbers of trials', () => {
    interface Case {
      readonly returns: Rows
      readonly expected: Record<'averageCorrelation' | 'effectiveTrials' | 'participationRatio', number>
    }
    for (const { returns, expected } of referenceCases<Case>('effective-trials')) {
      const found = definedValue(effectiveTrials(columnsOf(returns)))
      expectNear(found.averageCorrelation, expected.averageCorrelation, 1e-10)
      expectNear(found.implied, expected.effectiveTrials, 1e-10)
      expectNear(found.participationRatio, expected.participationRatio, 1e-10)
    }
  })

  it('of backtest overfitting', () => {
    type Shares = Record<'pbo' | 'pboStrict' | 'probabilityOfLoss' | 'logitMean' | 'logitMedian', number>
    type Lists = Record<'relativeRank' | 'logits' | 'inSample' | 'outOfSample', readonly number[]>
    interface Case {
      readonly returns: Rows
      readonly blocks: number
      readonly expected:
        | (Shares &
            Partial<Lists> & {
              readonly combinations: number
              readonly selected?: readonly number[]
              readonly logitQuantiles?: Record<string, number>
              readonly degradation: Record<'slope' | 'intercept' | 'r2', number> | null
            })
        | null
    }
    for (const { returns, blocks, expected } of referenceCases<Case>('pbo')) {
      const statistic = backtestOverfitting(columnsOf(returns), blocks)
      if (expected === null) {
        expect(statistic).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
        continue
      }
      const found = definedValue(statistic)
      expect(found.combinations).toBe(expected.combinations)
      for (const name of ['pbo', 'pboStrict', 'probabilityOfLoss', 'logitMean', 'logitMedian'] as const) {
        expectNear(found[name], expected[name], 1e-10)
      }
      if (expected.selected !== undefined) expect([...found.selected]).toEqual(expected.selected)
      for (const name of ['relativeRank', 'logits', 'inSample', 'outOfSample'] as const) {
        expectAllNear(found[name], expected[name] ?? [...found[name]], 1e-10)
      }
      for (const [probability, quantile] of Object.entries(expected.logitQuantiles ?? {})) {
        expectNear(quantileOf(found.logits.toSorted(), Number(probability)), quantile, 1e-10)
      }
      for (const name of ['slope', 'intercept', 'r2'] as const) {
        expectNear(found.degradation.value?.[name], expected.degradation?.[name] ?? Number.NaN, 1e-10)
      }
    }
  })

  it('of reality checks and tests of superior ability', () => {
    interface Case {
      readonly returns: Rows
      readonly benchmark: readonly number[] | null
      readonly meanBlock: number
      readonly indices: Rows
      readonly expected: {
        readonly means: readonly number[]
        readonly longRunVariances: readonly number[]
        readonly relevant: readonly boolean[]
        readonly notStudentised: SuperiorAbilityTest & { readonly realityCheck: number }
        readonly studentised: SuperiorAbilityTest
      }
    }
    for (const { returns, benchmark, meanBlock, indices, expected } of referenceCases<Case>(
      'reality-check-spa',
    )) {
      const excess = returns.map((row, period) => row.map(value => value - (benchmark?.[period] ?? 0)))
      const found = definedValue(superiorAbility(columnsOf(excess), givenResamples(indices), meanBlock))
      expectAllNear(found.means, expected.means, 1e-10)
      expectAllNear(found.longRunVariances, expected.longRunVariances, 1e-10)
      expect(Array.from(found.relevant, Boolean)).toEqual(expected.relevant)
      expectTest(found.notStudentised, expected.notStudentised)
      expect(found.notStudentised.upper).toBe(oneIfLosing(expected.notStudentised, 'realityCheck'))
      expectTest(definedValue(found.studentised), expected.studentised)
    }
  })
})

function expectTest(found: SuperiorAbilityTest, expected: SuperiorAbilityTest): void {
  expectNear(found.statistic, expected.statistic, 1e-10)
  for (const centre of ['lower', 'consistent', 'upper'] as const) {
    expect(found[centre]).toBe(oneIfLosing(expected, centre))
  }
}

/** The figures of a best trial that loses mean nothing, says the README: p is 1. */
function oneIfLosing<Name extends string>(
  expected: { readonly statistic: number } & Record<Name, number>,
  name: Name,
): number {
  return expected.statistic > 0 ? expected[name] : 1
}
