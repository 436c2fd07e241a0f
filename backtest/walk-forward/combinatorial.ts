import { UsageError } from '../../src/domain/sluice-error.ts'
import type {
  CombinatorialSplit,
  CombinatorialSplits,
} from '../../src/research/splits/combinatorial-splits.ts'
import type { RowRange } from '../../src/research/splits/row-range.ts'
import { meanPerDeviation } from '../../src/research/statistics/sample/moments.ts'
import { type DailyRecord, stitchedRecord } from '../../src/research/walk-forward/daily-record.ts'
import type { FinishedTrial, ParameterSet, Trial, TrialRunner } from '../trials/trial.ts'
import { recordOver, spanOf, timesOf, type WindowedKlines } from './row-times.ts'
import { requirePlayable, requirePlayed } from './walk-forward.ts'

/** Everything that combinatorial purged cross-validation needs. */
export interface CombinatorialOptions {
  readonly data: WindowedKlines
  readonly splits: CombinatorialSplits
  /** Parameter sets that every split chooses from. */
  readonly sets: readonly ParameterSet[]
  readonly runner: TrialRunner
  /** Called after each split with the number of those done. */
  readonly onSplit?: (done: number) => void
}

/** Outcome of all splits. */
export interface Combinatorial {
  /** Chosen parameters of each split; `undefined` where none has a Sharpe ratio on its training. */
  readonly chosen: readonly (ParameterSet | undefined)[]
  /** Daily returns out of sample along each path, all over the same days. */
  readonly paths: readonly DailyRecord[]
}

/**
 * Chooses, for each split, the parameters with the highest daily Sharpe ratio over all its training days, and plays them on its
 * tested folds, each from flat. Rejects with `UsageError` where a split has nothing to train on, or nothing can be played.
 */
export async function combinatorialTest(options: CombinatorialOptions): Promise<Combinatorial> {
  const { splits, paths } = options.splits
  const trained = new TrainedSpans(options)
  const chosen: (ParameterSet | undefined)[] = []
  const parts: DailyRecord[][] = Array.from({ length: paths }, () => [])
  for (const split of splits) {
    const best = bestOf(await trained.recordsOf(split))
    chosen.push(best === undefined ? undefined : options.sets[best])
    const tests = await testsOf(split, options, chosen.at(-1))
    for (const [index, path] of split.paths.entries()) parts[path]?.push(tests[index] as DailyRecord) // one for each
    options.onSplit?.(chosen.length)
  }
  return { chosen, paths: parts.map(path => stitchedRecord(inTime(path))) }
}

/** Trials of the spans that splits train on; most of them belong to several splits. */
class TrainedSpans {
  readonly #options: CombinatorialOptions
  readonly #known = new Map<string, readonly Trial[]>()

  constructor(options: CombinatorialOptions) {
    this.#options = options
  }

  /** Daily returns of each set over all training rows of a split; `undefined` for a set that cannot be played. */
  async recordsOf({ train }: CombinatorialSplit): Promise<readonly (Float64Array | undefined)[]> {
    if (train.length === 0)
      throw new UsageError(
        'Purge and embargo leave a split nothing to train on; use fewer tested folds, or a shorter purge.',
      )
    const spans: (readonly Trial[])[] = []
    for (const rows of train) spans.push(await this.#trialsOf(rows))
    return this.#options.sets.map((_, set) => joined(spans.map(trials => trials[set])))
  }

  async #trialsOf(rows: RowRange): Promise<readonly Trial[]> {
    const { data, runner, sets } = this.#options
    const key = `${rows.from} ${rows.to}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const trials = await runner.run(sets, spanOf(data, rows))
    requirePlayed({ trials, best: undefined }, timesOf(data, rows))
    this.#known.set(key, trials)
    return trials
  }
}

function joined(trials: readonly (Trial | undefined)[]): Float64Array | undefined {
  const isWhole = (trial: Trial | undefined): trial is FinishedTrial => trial?.outcome === 'finished'
  if (!trials.every(isWhole)) return undefined
  return Float64Array.from(trials.flatMap(({ dailyReturns }) => [...dailyReturns]))
}

/** Index of the highest Sharpe ratio, the first of equals; `undefined` where no returns vary. */
function bestOf(records: readonly (Float64Array | undefined)[]): number | undefined {
  let [best, highest]: [number | undefined, number] = [undefined, Number.NEGATIVE_INFINITY]
  records.forEach((returns, index) => {
    if (returns === undefined) return
    const sharpe = meanPerDeviation(returns, new Float64Array(returns.length))
    if (!(sharpe > highest)) return
    highest = sharpe
    best = index
  })
  return best
}

async function testsOf(
  { test }: CombinatorialSplit,
  { data, runner }: CombinatorialOptions,
  chosen: ParameterSet | undefined,
): Promise<DailyRecord[]> {
  const records: DailyRecord[] = []
  for (const rows of test) {
    const times = timesOf(data, rows)
    const [tested] = chosen === undefined ? [] : await runner.run([chosen], spanOf(data, rows))
    requirePlayable(tested, times)
    records.push(recordOver(times, tested))
  }
  return records
}

function inTime(records: readonly DailyRecord[]): DailyRecord[] {
  return records.toSorted((left, right) => left.firstDay - right.firstDay)
}
