import type { BacktestOptions, MarketsBacktestOptions } from '../../run/backtest-options.ts'
import { isAlone } from '../../run/feed-data.ts'
import type { Pausing } from '../../run/pausing.ts'
import type { Difference } from '../first-difference.ts'
import { marketSubject } from '../market-subject.ts'
import { marketsSubject } from '../markets-subject.ts'
import type { RunRecord } from '../run-record.ts'
import type { CausalSubject } from './causal-subject.ts'
import { type CutPoints, cutPoints } from './cut-points.ts'
import type { Hiding } from './hidden-future.ts'
import type { OtherFuture } from './other-future.ts'

/** What a proof is made of. */
export interface CausalProofOptions {
  /** The run to prove. */
  readonly backtest: BacktestOptions | MarketsBacktestOptions
  /** At how many moments the future is replaced; by default as many as `MOMENTS_BUDGET` allows. */
  readonly cuts?: number | undefined
  readonly seed: number
}

/** How a leak was found: by a second run of the same klines, with the future hidden at every moment, or replaced after one. */
export type LeakFoundBy = 'repeated' | 'hidden' | 'replaced'

/** A decision that depends on something it cannot know. Rows are klines, or of several markets moments at which any closed. */
export interface Leak {
  readonly foundBy: LeakFoundBy
  /** The last row that was left as it is; `undefined` where no future was replaced. */
  readonly cut: number | undefined
  /** How many klines after the one of the difference have to be known for the first run's decision, at least. */
  readonly reach: number | undefined
  readonly difference: Difference
}

/** What a proof found. */
export interface CausalProof {
  /** At which moments the future was replaced. */
  readonly cuts: CutPoints
  /** What the run did: the more there is, the more the proof compares. */
  readonly compared: {
    readonly signals: number
    readonly orders: number
    readonly fills: number
    readonly roundTrips: number
    /** Rows. */
    readonly klines: number
  }
  /** When each row closed, ms UTC, where the rows are those of several markets. */
  readonly moments?: readonly number[] | undefined
  /** The first leak, or `undefined` where there is none. */
  readonly leak: Leak | undefined
}

/** Klines of another future, in every second run: more than a block of indicators that are computed ahead. */
const LONG_FUTURE = 1500

/**
 * Klines that runs with a replaced future play together by default, about 4 s of a simple strategy. A count and not a time, so
 * that the same data gives the same proof on any machine.
 */
const MOMENTS_BUDGET = 4_000_000
const FEWEST_MOMENTS = 20
const MOST_MOMENTS = 10_000

/** How many moments the budget allows on data of so many klines, each of which is played from the start up to itself. */
export function affordableMoments(klines: number): number {
  return Math.min(
    MOST_MOMENTS,
    Math.max(FEWEST_MOMENTS, Math.floor((2 * MOMENTS_BUDGET) / Math.max(1, klines))),
  )
}

/**
 * Proves that a run does not know the future. The whole run is played once, and again as it is, which finds what a strategy
 * keeps from one run to the next. Then it is played twice with the future hidden at every moment: each kline appears when it
 * has closed, and until then there is nothing, or prices that go the other way; all that is said must be the same, and what
 * was not said as well. Then all klines after chosen moments are replaced and everything before them is compared: each cut is
 * played up to itself and one other kline (nothing after the cut is compared, so nothing more has to be played, and that the
 * data ends there is a change as well), or, every second one, up to 1,500 other klines, for a reader ahead who behaves where
 * the data ends. Of several markets, the future of all is replaced at once, and all that any of their strategies says is
 * compared. Pauses as the backtest does; throws what it throws.
 */
export function* proveCausal({ backtest, cuts: wanted, seed }: CausalProofOptions): Pausing<CausalProof> {
  const subject = subjectOf(backtest)
  const baseline = yield* subject.record()
  if (baseline.error !== undefined) throw baseline.error
  const { entries, klinesSeen: klines } = baseline
  const cuts = cutPoints({ count: wanted ?? affordableMoments(klines), klines, entries, seed })
  const proof = { cuts, compared: comparedIn(baseline), moments: baseline.moments }
  const repeated = subject.difference(baseline, yield* subject.record(), klines - 1)
  if (repeated !== undefined) {
    return { ...proof, leak: { foundBy: 'repeated', cut: undefined, reach: undefined, difference: repeated } }
  }
  const leak =
    (yield* hiddenLeak(subject, baseline, seed)) ?? (yield* replacedLeak(subject, baseline, cuts.rows, seed))
  return { ...proof, leak }
}

const HIDINGS: readonly Hiding[] = ['absent', 'mirrored']

/** A leak that shows itself where every future is hidden; with its reach, if it also does where that of its moment is replaced. */
function* hiddenLeak(subject: CausalSubject, baseline: RunRecord, seed: number): Pausing<Leak | undefined> {
  for (const hiding of HIDINGS) {
    const hidden = yield* subject.recordHidden(hiding)
    const difference = subject.difference(baseline, hidden, baseline.klinesSeen - 1)
    if (difference === undefined) continue
    const { row } = difference
    const nearest = row < 0 || row > baseline.klinesSeen - 2 ? [] : [row]
    return (
      (yield* replacedLeak(subject, baseline, nearest, seed)) ?? {
        ...{ foundBy: 'hidden', cut: undefined, reach: undefined, difference },
      }
    )
  }
  return undefined
}

/** The first leak that shows itself where the future after one of these rows is replaced. */
function* replacedLeak(
  subject: CausalSubject,
  baseline: RunRecord,
  rows: readonly number[],
  seed: number,
): Pausing<Leak | undefined> {
  for (const [index, cut] of rows.entries()) {
    const future = { ahead: index % 2 === 0 ? 1 : LONG_FUTURE, seed: seed + index }
    const difference = yield* differenceAt(subject, baseline, { ...future, cut })
    if (difference === undefined) continue
    const reach = yield* reachOf(subject, baseline, difference.row, { ...future, cut })
    return { foundBy: 'replaced', cut, reach, difference }
  }
  return undefined
}

function subjectOf(backtest: CausalProofOptions['backtest']): CausalSubject {
  if ('markets' in backtest) return marketsSubject(backtest)
  return isAlone(backtest) ? marketSubject(backtest) : marketsSubject({ ...backtest, markets: [backtest] })
}

function* differenceAt(
  subject: CausalSubject,
  baseline: RunRecord,
  future: OtherFuture,
): Pausing<Difference | undefined> {
  return subject.difference(baseline, yield* subject.recordWith(future, baseline), future.cut)
}

/** Moves the cut away from a decision for as long as the decision still changes, in ever longer steps. */
function* reachOf(
  subject: CausalSubject,
  baseline: RunRecord,
  row: number,
  future: OtherFuture,
): Pausing<number> {
  let farthest = future.cut
  for (let step = 1; future.cut + step < baseline.klinesSeen - 1; step *= 2) {
    const difference = yield* differenceAt(subject, baseline, { ...future, cut: future.cut + step })
    if (difference === undefined || difference.row > row) break
    farthest = future.cut + step
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
