import { isAlone } from '../feed-data.ts'
import type { Pausing } from '../pausing.ts'
import type { BacktestOptions, MarketsBacktestOptions } from '../run-backtest.ts'
import type { CausalSubject } from './causal-subject.ts'
import { cutPoints } from './cut-points.ts'
import type { Difference } from './first-difference.ts'
import { marketSubject } from './market-subject.ts'
import { marketsSubject } from './markets-subject.ts'
import type { OtherFuture } from './other-future.ts'
import type { RunRecord } from './run-record.ts'

/** What a proof is made of. */
export interface CausalProofOptions {
  /** The run to prove. */
  readonly backtest: BacktestOptions | MarketsBacktestOptions
  /** How many moments get another future. */
  readonly cuts: number
  readonly seed: number
}

/** A decision that depends on something it cannot know. Rows are klines, or of several markets moments at which any closed. */
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
 * Proves that a run does not know the future: replaces all klines after chosen moments and compares everything before
 * them. The whole run is played once, and again as it is, which finds what a strategy keeps from one run to the next; then
 * each cut is played up to itself and one other kline (nothing after the cut is compared, so nothing more has to be
 * played, and that the data ends there is a change as well), or, every second one, up to 1,500 other klines, for a reader
 * ahead who behaves where the data ends. Of several markets, the future of all is replaced at once, and all that any of their
 * strategies says is compared. Pauses as the backtest does; throws what it throws.
 */
export function* proveCausal({ backtest, cuts: count, seed }: CausalProofOptions): Pausing<CausalProof> {
  const subject = subjectOf(backtest)
  const baseline = yield* subject.record()
  if (baseline.error !== undefined) throw baseline.error
  const { entries, klinesSeen: klines } = baseline
  const cuts = cutPoints({ count, klines, entries, seed })
  const proof = { cuts, compared: comparedIn(baseline), moments: baseline.moments }
  const repeated = subject.difference(baseline, yield* subject.record(), klines - 1)
  if (repeated !== undefined) {
    return { ...proof, leak: { cut: undefined, reach: undefined, difference: repeated } }
  }
  for (const [index, cut] of cuts.entries()) {
    const future = { ahead: index % 2 === 0 ? 1 : LONG_FUTURE, seed: seed + index }
    const difference = yield* differenceAt(subject, baseline, { ...future, cut })
    if (difference !== undefined) {
      const reach = yield* reachOf(subject, baseline, difference.row, { ...future, cut })
      return { ...proof, leak: { cut, reach, difference } }
    }
  }
  return { ...proof, leak: undefined }
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
