import { UsageError } from '../../domain/sluice-error.ts'
import { countProblem, type RowRange } from './row-range.ts'

/** Rows that choose parameters, and later rows that test the choice. */
export interface WalkForwardWindow {
  readonly train: RowRange
  readonly test: RowRange
}

/** Lengths of the windows, in rows. */
export interface WalkForwardPlan {
  /** Rows of the record. */
  readonly rows: number
  readonly train: number
  readonly test: number
  /** Rows between training and test in which positions of the training would still end; default: 0. */
  readonly purge?: number
  /** Further rows left out after that; default: 0. */
  readonly embargo?: number
  /** True if every training begins at the first row and grows; otherwise it keeps its length. */
  readonly isAnchored?: boolean
}

/**
 * Windows in order of time: `train` rows, `purge` + `embargo` rows left out, `test` rows; the next window is `test` rows later,
 * so that tests follow each other without a gap. An incomplete last test is left out. Throws `UsageError` for a record
 * that is too short for one window, with the length that it needs.
 */
export function walkForwardWindows(plan: WalkForwardPlan): WalkForwardWindow[] {
  const { rows, train, test, purge = 0, embargo = 0, isAnchored = false } = plan
  const problem =
    countProblem('The training length', train, 1) ??
    countProblem('The test length', test, 1) ??
    countProblem('The purge', purge, 0) ??
    countProblem('The embargo', embargo, 0)
  if (problem !== undefined) throw new UsageError(problem)
  const needed = train + purge + embargo + test
  if (!(rows >= needed)) {
    throw new UsageError(
      `A walk-forward with ${train} klines of training, ${purge + embargo} left out and ${test} of test needs at least ${needed} klines, and there are ${rows}; give more data or shorter windows.`,
    )
  }
  const count = Math.floor((rows - needed) / test) + 1
  return Array.from({ length: count }, (_, index) => {
    const shift = index * test
    const testFrom = train + purge + embargo + shift
    return {
      train: { from: isAnchored ? 0 : shift, to: train + shift },
      test: { from: testFrom, to: testFrom + test },
    }
  })
}
