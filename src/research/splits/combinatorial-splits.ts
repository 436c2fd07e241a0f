import { UsageError } from '../../domain/sluice-error.ts'
import { nextCombination } from '../combinations.ts'
import { countProblem, type RowRange } from './row-range.ts'

/** One choice of folds that are tested, and what is left to train on. */
export interface CombinatorialSplit {
  /** Rows to train on, in order of time; none where purge and embargo leave nothing. */
  readonly train: readonly RowRange[]
  /** The tested folds, in order of time. */
  readonly test: readonly RowRange[]
  /** The path to which each tested fold belongs, from 0. */
  readonly paths: readonly number[]
}

/** All splits of a record. */
export interface CombinatorialSplits {
  readonly folds: readonly RowRange[]
  /** In lexicographic order of the tested folds. */
  readonly splits: readonly CombinatorialSplit[]
  /** Number of paths; each of them tests every fold once. */
  readonly paths: number
}

/** Folds of a record and what is left out around tested ones, in rows. */
export interface CombinatorialPlan {
  /** Rows of the record. */
  readonly rows: number
  readonly folds: number
  /** Number of folds that each split tests; fewer than `folds`. */
  readonly testFolds: number
  /** Training rows left out before a tested fold, and after it. */
  readonly purge: number
  /** Further training rows left out after a tested fold. */
  readonly embargo: number
}

/** Beyond it, splits are too many to try. */
const MOST_FOLDS = 20

/**
 * Combinatorial purged cross-validation: every choice of `testFolds` among the folds is tested once, the others train (M. López
 * de Prado, "Advances in Financial Machine Learning", 2018, chapter 12). Folds have ⌊rows ÷ folds⌋ rows, the last one takes
 * the rest. Throws `UsageError` where a fold is not longer than purge and embargo, with the length that is needed.
 */
export function combinatorialSplits(plan: CombinatorialPlan): CombinatorialSplits {
  const problem = planProblem(plan)
  if (problem !== undefined) throw new UsageError(problem)
  const folds = foldsOf(plan)
  const chosen = Uint8Array.from({ length: plan.testFolds }, (_, index) => index)
  const seen = new Uint32Array(plan.folds)
  const splits: CombinatorialSplit[] = []
  do splits.push(splitOf(plan, folds, chosen, seen))
  while (nextCombination(chosen, plan.folds))
  return { folds, splits, paths: seen[0] ?? 0 }
}

function planProblem({ rows, folds, testFolds, purge, embargo }: CombinatorialPlan): string | undefined {
  const problem =
    countProblem('The number of folds', folds, 2) ??
    countProblem('The number of tested folds', testFolds, 1) ??
    countProblem('The purge', purge, 0) ??
    countProblem('The embargo', embargo, 0)
  if (problem !== undefined) return problem
  if (folds > MOST_FOLDS)
    return `${folds} folds are more than ${MOST_FOLDS}, and their splits too many to try.`
  if (testFolds >= folds)
    return `${testFolds} tested folds of ${folds} leave none to train on; test at most ${folds - 1}.`
  const needed = folds * (purge + embargo + 1)
  if (rows >= needed) return undefined
  return `${folds} folds with ${purge + embargo} klines left out after each need at least ${needed} klines, and there are ${rows}; give more data or fewer folds.`
}

function foldsOf({ rows, folds }: CombinatorialPlan): RowRange[] {
  const length = Math.floor(rows / folds)
  return Array.from({ length: folds }, (_, index) => ({
    from: index * length,
    to: index === folds - 1 ? rows : (index + 1) * length,
  }))
}

/** `seen` counts the splits so far that test each fold. */
function splitOf(
  { purge, embargo }: CombinatorialPlan,
  folds: readonly RowRange[],
  chosen: Uint8Array,
  seen: Uint32Array,
): CombinatorialSplit {
  const tested = [...chosen]
  const test = tested.map(fold => folds[fold] as RowRange) // chosen among them
  const paths = tested.map(fold => {
    const path = seen[fold] as number
    seen[fold] = path + 1
    return path
  })
  return { train: trainedRows(folds, test, purge, purge + embargo), test, paths }
}

/** Rows outside the tested folds, without `before` rows in front of each and `after` rows behind it. */
function trainedRows(
  folds: readonly RowRange[],
  test: readonly RowRange[],
  before: number,
  after: number,
): RowRange[] {
  const train: RowRange[] = []
  let from = 0
  for (const fold of test) {
    addRows(train, from, fold.from - before)
    from = fold.to + after
  }
  addRows(train, from, folds.at(-1)?.to ?? 0)
  return train
}

function addRows(train: RowRange[], from: number, to: number): void {
  if (from < to) train.push({ from, to })
}
