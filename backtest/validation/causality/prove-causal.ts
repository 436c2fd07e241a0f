import { UsageError } from '../../../src/domain/sluice-error.ts'
import type { BacktestOptions, MarketsBacktestOptions } from '../../run/backtest-options.ts'
import { isAlone } from '../../run/feed-data.ts'
import type { Resumable } from '../../run/resumable.ts'
import type { Difference } from '../first-difference.ts'
import { marketSubject } from '../market-subject.ts'
import { marketsSubject } from '../markets-subject.ts'
import type { RunRecord } from '../run-record.ts'
import type { CausalSubject } from './causal-subject.ts'
import { type CutPoints, cutPoints } from './cut-points.ts'
import type { Hiding } from './hidden-future.ts'
import type { OtherFuture } from './other-future.ts'

export interface CausalProofOptions {
  /** The run to prove. */
  readonly backtest: BacktestOptions | MarketsBacktestOptions
  /** At how many moments the future is replaced; by default as many as `MOMENTS_BUDGET` allows. */
  readonly cuts?: number | undefined
  readonly seed: number
}

/**
 * Test that found a leak: a second run of the same klines, with the future hidden at every moment, or
 * replaced after one.
 */
export type LeakFoundBy = 'repeated' | 'hidden' | 'replaced'

/**
 * A decision that depends on the future. Rows are klines, or, with several markets, moments at which any
 * closed.
 */
export interface Leak {
  readonly foundBy: LeakFoundBy
  /** The last unchanged row; `undefined` if no future was replaced. */
  readonly cut: number | undefined
  /** Fewest klines after that of the difference needed to reproduce the first run's decision. */
  readonly reach: number | undefined
  readonly difference: Difference
}

/** Result of a proof. */
export interface CausalProof {
  /** At which moments the future was replaced. */
  readonly cuts: CutPoints
  /** Compared activity of the run: more activity makes a stronger proof. */
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

/** Number of moments that the budget allows; each is played from the start of the data up to itself. */
export function affordableMoments(klines: number): number {
  return Math.min(
    MOST_MOMENTS,
    Math.max(FEWEST_MOMENTS, Math.floor((2 * MOMENTS_BUDGET) / Math.max(1, klines))),
  )
}

/**
 * Proves that a run does not know the future. The whole run is played once, and again unchanged, which finds
 * state kept from one run to the next. Then it is played twice with the future hidden at every moment: each
 * kline appears when it has closed, and until then it is absent, or has mirrored prices; the outputs must be
 * identical. Then all klines after chosen moments are replaced and everything before them is compared: each
 * cut is played up to itself and one other kline (nothing after the cut is compared, so nothing more has to
 * be played, and the early end of the data is a change as well), or, every second one, up to 1,500 other
 * klines, for a look-ahead that is inactive at the end of the data. With several markets, the future of all
 * is replaced at once, and the outputs of all strategies are compared. Pauses as the backtest does; throws
 * the errors of the backtest.
 */
export function* proveCausal({ backtest, cuts: wanted, seed }: CausalProofOptions): Resumable<CausalProof> {
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
function* hiddenLeak(subject: CausalSubject, baseline: RunRecord, seed: number): Resumable<Leak | undefined> {
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
): Resumable<Leak | undefined> {
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
  if (
    'markets' in backtest
      ? backtest.markets.some(({ ticks }) => ticks !== undefined)
      : hasTicksOfRoles(backtest)
  )
    throw new UsageError(
      'A proof of causality replaces the recorded trades of one market only; name one symbol, and a strategy without further markets.',
    )
  if ('markets' in backtest) return marketsSubject(backtest)
  if (backtest.ticks?.trades.length === 0)
    throw new UsageError(
      `${backtest.instrument.symbol} has no public trades that a proof of causality could replace; prove the strategy on klines, without --ticks.`,
    )
  return isAlone(backtest) ? marketSubject(backtest) : marketsSubject({ ...backtest, markets: [backtest] })
}

function* differenceAt(
  subject: CausalSubject,
  baseline: RunRecord,
  future: OtherFuture,
): Resumable<Difference | undefined> {
  return subject.difference(baseline, yield* subject.recordWith(future, baseline), future.cut)
}

/** Moves the cut away from a decision for as long as the decision still changes, in ever longer steps. */
function* reachOf(
  subject: CausalSubject,
  baseline: RunRecord,
  row: number,
  future: OtherFuture,
): Resumable<number> {
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

function hasTicksOfRoles({ roles = {} }: BacktestOptions): boolean {
  return Object.values(roles).some(({ ticks }) => ticks !== undefined)
}
