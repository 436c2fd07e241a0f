import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { combinatorialSplits } from '../../../src/research/splits/combinatorial-splits.ts'
import type { RowRange } from '../../../src/research/splits/row-range.ts'
import { walkForwardWindows } from '../../../src/research/splits/walk-forward-windows.ts'
import { hasShared } from '../../shared-data.ts'
import { referenceCases } from '../statistics/reference-cases.ts'

type Pair = readonly [number, number]

const pairOf = ({ from, to }: RowRange): Pair => [from, to]

describe.skipIf(!hasShared('oracles', 'research'))('the reference splits', () => {
  it('of walk-forward windows', () => {
    interface Case {
      readonly n: number
      readonly train: number
      readonly test: number
      readonly purge: number
      readonly anchored: boolean
      readonly expected: readonly { readonly train: Pair; readonly test: Pair }[]
    }
    const cases = referenceCases<Case>('walk-forward-splits')
    expect(cases.length).toBeGreaterThan(0)
    for (const { n: rows, train, test, purge, anchored: isAnchored, expected } of cases) {
      const windows = walkForwardWindows({ rows, train, test, purge, isAnchored })
      expect(windows.map(window => ({ train: pairOf(window.train), test: pairOf(window.test) }))).toEqual(
        expected,
      )
    }
  })

  it('of combinatorial purged cross-validation', () => {
    interface Case {
      readonly n: number
      readonly folds: number
      readonly testFolds: number
      readonly purge: number
      readonly embargo: number
      readonly expected: {
        readonly paths: number
        readonly pathIds: readonly (readonly number[])[]
        readonly splits: readonly { readonly train: readonly Pair[]; readonly test: readonly [Pair][] }[]
      }
    }
    const cases = referenceCases<Case>('combinatorial-purged-splits')
    expect(cases.length).toBeGreaterThan(0)
    for (const { n: rows, folds, testFolds, purge, embargo, expected } of cases) {
      const { splits, paths } = combinatorialSplits({ rows, folds, testFolds, purge, embargo })
      expect(paths).toBe(expected.paths)
      expect(splits.map(split => split.paths)).toEqual(expected.pathIds)
      expect(splits.map(({ train, test }) => [train.map(pairOf), test.map(fold => [pairOf(fold)])])).toEqual(
        expected.splits.map(({ train, test }) => [train, test]),
      )
    }
  })
})

describe('walk-forward windows', () => {
  it('leave out purge and embargo between training and test', () => {
    // 10 train, 2 + 3 out, 5 test: tests 15-20 and 20-25 of 27 rows, the last 2 make no whole test.
    const windows = walkForwardWindows({ rows: 27, train: 10, test: 5, purge: 2, embargo: 3 })
    expect(windows).toEqual([
      { train: { from: 0, to: 10 }, test: { from: 15, to: 20 } },
      { train: { from: 5, to: 15 }, test: { from: 20, to: 25 } },
    ])
  })

  it('are refused on a record too short for one, with the length that it needs', () => {
    const plan = { train: 40, test: 20, purge: 5 }
    expect(walkForwardWindows({ ...plan, rows: 65 })).toHaveLength(1)
    expect(() => walkForwardWindows({ ...plan, rows: 64 })).toThrow(/needs at least 65 klines.*there are 64/)
  })

  it('are refused for lengths that are none', () => {
    for (const wrong of [{ train: 0 }, { test: 0 }, { train: 1.5 }, { purge: -1 }, { embargo: Number.NaN }]) {
      expect(() => walkForwardWindows({ rows: 100, train: 10, test: 10, ...wrong })).toThrow(UsageError)
    }
  })
})

describe('combinatorial splits', () => {
  const plan = { rows: 20, folds: 4, testFolds: 2, purge: 1, embargo: 1 }

  it('test every fold once on each path', () => {
    const { splits, paths, folds } = combinatorialSplits({ ...plan, rows: 60, folds: 6, testFolds: 3 })
    // C(6,3) = 20 splits of 3 folds, 60 tests of 6 folds: 10 paths.
    expect([splits.length, paths]).toEqual([20, 10])
    for (let path = 0; path < paths; path++) {
      const tested = splits.flatMap(split => split.test.filter((_, index) => split.paths[index] === path))
      expect(tested.toSorted((left, right) => left.from - right.from)).toEqual(folds)
    }
  })

  it('are refused where a fold is not longer than what is left out, with the length that is needed', () => {
    // 4 folds × (1 + 1 + 1) rows.
    expect(combinatorialSplits({ ...plan, rows: 12 }).splits).toHaveLength(6)
    expect(() => combinatorialSplits({ ...plan, rows: 11 })).toThrow(/at least 12 klines.*there are 11/)
  })

  it('are refused where nothing trains, and for counts that are none', () => {
    for (const wrong of [
      { testFolds: 4 },
      { testFolds: 0 },
      { folds: 1 },
      { folds: 21 },
      { purge: -1 },
      { embargo: 0.5 },
    ]) {
      expect(() => combinatorialSplits({ ...plan, rows: 1000, ...wrong })).toThrow(UsageError)
    }
  })
})
