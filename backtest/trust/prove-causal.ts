import type { BacktestOptions } from '../run-backtest.ts'
import { cutPoints } from './cut-points.ts'
import { type Difference, firstDifference } from './first-difference.ts'
import { withoutLaterDetail } from './other-detail.ts'
import { withOtherFuture } from './other-future.ts'
import { type RunRecord, recordRun } from './run-record.ts'

/** What a proof is made of. */
export interface CausalProofOptions {
  /** The run to prove. */
  readonly backtest: BacktestOptions
  /** How many moments get another future. */
  readonly cuts: number
  readonly seed: number
  /** Called with the klines played so far, and how many it will be. */
  readonly onProgress?: (klinesDone: number, klinesInAll: number) => void
}

/** A decision that depends on something it cannot know. */
export interface Leak {
  /** The last row that was left as it is; `undefined` where nothing was changed at all and a second run differs. */
  readonly cut: number | undefined
  /** How many klines after the one of the difference have to be known for the first run's decision, at least. */
  readonly reach: number | undefined
  readonly difference: Difference
}

/** What a proof found. */
export interface CausalProof {
  /** Rows after which the future was replaced, ascending. */
  readonly cuts: readonly number[]
  /** What the run did: the more there is, the more the proof compares. */
  readonly compared: {
    readonly signals: number
    readonly orders: number
    readonly fills: number
    readonly roundTrips: number
    readonly klines: number
  }
  /** The first leak, or `undefined` where there is none. */
  readonly leak: Leak | undefined
}

/** Klines of another future, in every second run: more than a block of indicators that are computed ahead. */
const LONG_FUTURE = 1500

/**
 * Proves that a run does not know the future: replaces all klines after chosen moments and compares everything before
 * them. The whole run is played once, and again as it is, which finds what a strategy keeps from one run to the next; then
 * each cut is played up to itself and one other kline (nothing after the cut is compared, so nothing more has to be
 * played, and that the data ends there is a change as well), or, every second one, up to 1,500 other klines, for a reader
 * ahead who behaves where the data ends. Throws what the backtest itself throws.
 */
export function proveCausal({ backtest, cuts: count, seed, onProgress }: CausalProofOptions): CausalProof {
  const { klines, interval } = backtest
  const baseline = recordRun(backtest)
  if (baseline.error !== undefined) throw baseline.error
  const { entries } = baseline
  const cuts = cutPoints({ count, klines: klines.length, entries, seed })
  const inAll = cuts.reduce((sum, cut) => sum + cut, 2 * klines.length)
  let done = klines.length
  onProgress?.(done, inAll)
  const proof = { cuts, compared: comparedIn(baseline) }
  const repeated = firstDifference(baseline, recordRun(backtest), {
    klines,
    interval,
    cut: klines.length - 1,
  })
  if (repeated !== undefined) {
    return { ...proof, leak: { cut: undefined, reach: undefined, difference: repeated } }
  }
  done += klines.length
  for (const [index, cut] of cuts.entries()) {
    onProgress?.(done, inAll)
    const ahead = index % 2 === 0 ? 1 : LONG_FUTURE
    const difference = differenceAt(backtest, baseline, cut, ahead, seed + index)
    if (difference !== undefined) {
      const reach = reachOf(backtest, baseline, difference.row, cut, ahead, seed + index)
      return { ...proof, leak: { cut, reach, difference } }
    }
    done += cut
  }
  return { ...proof, leak: undefined }
}

function differenceAt(
  backtest: BacktestOptions,
  baseline: RunRecord,
  cut: number,
  ahead: number,
  seed: number,
): Difference | undefined {
  const { klines, interval, detail } = backtest
  const other = withOtherFuture(klines, interval, { cut, ahead, seed })
  const finer = detail && { ...detail, klines: withoutLaterDetail(detail.klines, other, interval, cut) }
  const after = recordRun({ ...backtest, klines: other, detail: finer })
  return firstDifference(baseline, after, { klines, interval, cut })
}

/** Moves the cut away from a decision for as long as the decision still changes, in ever longer steps. */
function reachOf(
  backtest: BacktestOptions,
  baseline: RunRecord,
  row: number,
  cut: number,
  ahead: number,
  seed: number,
): number {
  let farthest = cut
  for (let step = 1; cut + step < backtest.klines.length - 1; step *= 2) {
    const difference = differenceAt(backtest, baseline, cut + step, ahead, seed)
    if (difference === undefined || difference.row > row) break
    farthest = cut + step
  }
  return farthest + 1 - row
}

function comparedIn({ entries, result, klinesSeen }: RunRecord): CausalProof['compared'] {
  const countOf = (what: string) => entries.filter(entry => entry.what === what).length
  return {
    signals: countOf('signal'),
    orders: countOf('order'),
    fills: countOf('fill'),
    roundTrips: result?.roundTrips.length ?? 0,
    klines: klinesSeen,
  }
}
