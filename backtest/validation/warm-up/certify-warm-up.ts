import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { BacktestOptions } from '../../run/backtest-options.ts'
import type { Resumable } from '../../run/resumable.ts'
import type { RecordEntry } from '../recorded-strategy.ts'
import { trialsWithoutHit, upperBound } from './binomial-bound.ts'
import { certifyMemory, hasToCompare, type MemoryProof } from './certify-memory.ts'
import { decisionsIn, sameDecisions } from './decision-window.ts'
import { declaredWarmUp } from './declared-warm-up.ts'
import { playWithMemory } from './watched-memory.ts'
import { eligibleStarts, type WindowStarts, windowStarts } from './window-starts.ts'

/** At which level a warm-up is certified: at most this share of decisions differs, with this confidence. */
export interface WarmUpLevel {
  readonly share: number
  readonly confidence: number
}

const LEVEL: WarmUpLevel = { share: 0.005, confidence: 0.95 }

export interface WarmUpCertificateOptions {
  readonly backtest: BacktestOptions
  readonly seed: number
  /** Decisions of one kind that are compared to prove a length, at most; default: 1,500. */
  readonly windows?: number | undefined
  /** Default: at most 0.5%, with 95% confidence. */
  readonly level?: WarmUpLevel | undefined
}

/** Number of decisions compared, and of those that differ from the ones after the longest history. */
export interface Comparison {
  /** Klines of the history. */
  readonly history: number
  readonly differing: number
  readonly decisions: number
  /** Upper confidence bound of the share that differs. */
  readonly bound: number
}

/** History that a strategy needs, in klines. */
export interface WarmUpCertificate {
  /**
   * Klines before a decision (not counting its own) after which the share of decisions that differ from those
   * after the longest history is at most that of the level; `undefined` if unproven.
   */
  readonly needed: number | undefined
  /** Reason that it is unproven: a whole sentence. */
  readonly reason: string | undefined
  /** Warm-up declared by the strategy, in klines. */
  readonly declared: number
  readonly level: WarmUpLevel
  /** Decisions that must be compared, and none of them differ, for that. */
  readonly decisionsNeeded: number
  /** The comparison at `needed`, or the last one; `undefined` without any. */
  readonly proof: Comparison | undefined
  /** The history that all others were compared with. */
  readonly longest: number
  /** Decisions in the part of the data that has so much before it. */
  readonly decisions: number
  /** The same of its `state`; `undefined` for a strategy without one, or one that never changes it. */
  readonly state: MemoryProof | undefined
}

/** Verdict of a certificate: `N/A` where it cannot be decided. */
export function certificateVerdict({
  needed,
  declared,
  state,
}: Pick<WarmUpCertificate, 'needed' | 'declared' | 'state'>): 'certified' | 'not certified' | 'N/A' {
  if (state?.verdict === 'fails') return 'not certified'
  if (needed === undefined || state?.verdict === 'undecided') return 'N/A'
  return declared >= needed ? 'certified' : 'not certified'
}

const MOST_WINDOWS = 1500
/** Klines that all longest histories have together, some seconds of a simple strategy: a count, so that the answer is the same on any machine. */
const HISTORY_BUDGET = 40_000_000
/** Approximate number of klines that a certificate plays; it may end earlier. */
export function certificateWork(klines: number): number {
  return klines + Math.min(HISTORY_BUDGET, (klines >> 2) * MOST_WINDOWS)
}

/** Times the length that the search found that are tried, the longest first. */
const MULTIPLES = [2, 1.25, 1]
/** Number of longer histories that the search tries before it accepts a length. */
const SAMPLES = 8

/**
 * Finds the history that a strategy needs before its decisions stop depending on the start of the data. A
 * window of klines is played with histories of different lengths before it: the strategy sees the history,
 * but decides nothing and is flat until the window begins, like a bot at its start. Every window begins at a
 * decision, and counts as different if any output in it differs. The reference is the longest history: a
 * quarter of the data, or less if that takes too long.
 *
 * The search uses some of the decisions: it doubles the length until no decision differs, then bisects
 * between the last two; longer ones, chosen by the seed, are tried as well, and the search continues above
 * each that disagrees. Then that length, the declared one and some multiples are tried on other decisions,
 * the longest first, up to the first that cannot be certified. In this order, each length has the full level:
 * to certify a wrong one, the first wrong one of the order must pass by chance (fixed-sequence testing: W.
 * Maurer, L. A. Hothorn, W. Lehmacher, 1995). A length counts only if the data holds twice as much. Feeds
 * show before a window the history that the strategy declares for them, and windows with that are compared
 * with windows with all of it. A state is fresh in all of these windows; `certifyMemory` tells whether it may be. Pauses as the
 * backtest does.
 */
export function* certifyWarmUp(options: WarmUpCertificateOptions): Resumable<WarmUpCertificate> {
  const { backtest, seed, windows: most = MOST_WINDOWS, level = LEVEL } = options
  const { klines } = backtest
  const declared = declaredWarmUp(backtest)
  const first = klines.length >> 2
  const { entries, use } = yield* playWithMemory(backtest, first)
  const decisionsNeeded = trialsWithoutHit(level.share, level.confidence)
  const span = { first, last: klines.length - 1, most, needed: decisionsNeeded, seed }
  const starts = windowStarts(entries, span)
  const compares = use !== undefined && hasToCompare(use, decisionsNeeded)
  const lists = compares ? eligibleStarts(entries, span, new Set(use.idleRows)) : []
  const count = [...starts.proof, ...lists].reduce((sum, rows) => sum + rows.length, starts.search.length)
  const longest = Math.min(first, Math.floor(HISTORY_BUDGET / Math.max(1, count)))
  const terms = { declared, level, decisionsNeeded, longest }
  const ofHistory = yield* certifyHistory({ backtest, seed, starts, terms })
  if (use === undefined) return { ...ofHistory, state: undefined }
  const history = Math.min(longest, Math.max(declared, ofHistory.needed ?? longest))
  const state = yield* certifyMemory(backtest, use, {
    lists,
    history,
    longest,
    level,
    needed: decisionsNeeded,
  })
  return { ...ofHistory, state }
}

/** A certificate without its state. */
type HistoryCertificate = Omit<WarmUpCertificate, 'state'>

interface HistoryOptions extends Pick<WarmUpCertificateOptions, 'backtest' | 'seed'> {
  readonly starts: WindowStarts
  readonly terms: Pick<WarmUpCertificate, 'declared' | 'level' | 'decisionsNeeded' | 'longest'>
}

/** Finds the history that the indicators need, with a fresh state after each. */
function* certifyHistory({ backtest, seed, starts, terms }: HistoryOptions): Resumable<HistoryCertificate> {
  const { declared, level, decisionsNeeded, longest } = terms
  const found = { ...terms, decisions: starts.of, proof: undefined }
  if (starts.proof.length === 0) return { ...found, needed: undefined, reason: nothingToCompare(starts.of) }
  const shortest = yield* search(yield* windowsAt(backtest, starts.search, longest), longest, seed)
  if (shortest === undefined) return { ...found, needed: undefined, reason: withoutEnd(longest) }
  const lists: Windows[] = []
  for (const rows of starts.proof) lists.push(yield* windowsAt(backtest, rows, longest))
  const few = lists.map(({ starts: { length } }) => length).find(length => length < decisionsNeeded)
  // With too few windows to certify, a single difference ends the search.
  const holds = ({ bound, differing }: Comparison) =>
    few === undefined ? bound <= level.share : differing === 0
  const lengths = triedLengths(shortest, declared, longest >> 1)
  const best = yield* shortestThatHolds(lists, lengths, level.confidence, holds)
  const { history, differing, decisions, bound } = best
  if (bound <= level.share) return { ...found, needed: history, reason: undefined, proof: best }
  const reason =
    few === undefined
      ? `Cannot be certified: after ${history} klines, ${differing} of ${decisions} decisions still differ.`
      : `Cannot be certified: only ${few} decisions could be compared. To say that at most ${percent(level.share)} differ takes ${decisionsNeeded} of which none does; give it more klines.`
  return { ...found, needed: undefined, reason, proof: best }
}

/** Tries lengths, the longest first, up to the first that does not hold; the last that does, or the first. */
function* shortestThatHolds(
  lists: readonly Windows[],
  lengths: readonly number[],
  confidence: number,
  holds: (compared: Comparison) => boolean,
): Resumable<Comparison> {
  let best = yield* compare(lists, lengths[0] as number, confidence) // at least one: what the search found
  for (const history of lengths.slice(1)) {
    if (!holds(best)) break
    const compared = yield* compare(lists, history, confidence)
    if (!holds(compared)) break
    best = compared
  }
  return best
}

/** The length that the search found, the declared one and multiples, all that can be tried; the longest first. */
function triedLengths(shortest: number, declared: number, most: number): readonly number[] {
  const lengths = [declared, ...MULTIPLES.map(multiple => Math.ceil(multiple * shortest))]
  return [...new Set(lengths)].filter(length => length <= most).sort((left, right) => right - left)
}

function nothingToCompare(decisions: number): string {
  return decisions === 0
    ? 'Cannot be certified: it decides nothing after the first quarter of the klines, so there is nothing to compare.'
    : `Cannot be certified: only ${decisions} decisions could be compared. Give it more klines.`
}

function withoutEnd(longest: number): string {
  return `Cannot be certified: histories of more than ${longest >> 1} klines still lead to other decisions, and ${longest} is the longest that could be tried: its memory has no end, or needs more data to be measured.`
}

/** A fraction as a percentage of two digits: `0.5%`. */
export function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(2))}%`
}

/** Windows of one backtest, and their decisions after the longest history. */
interface Windows {
  readonly backtest: BacktestOptions
  readonly starts: readonly number[]
  readonly reference: readonly (readonly RecordEntry[] | undefined)[]
}

function* windowsAt(
  backtest: BacktestOptions,
  starts: readonly number[],
  longest: number,
): Resumable<Windows> {
  const reference: (readonly RecordEntry[] | undefined)[] = []
  for (const start of starts)
    reference.push(yield* decisionsIn(backtest, { start, history: longest, hasAllFeeds: true }))
  return { backtest, starts, reference }
}

function* differs(
  { backtest, starts, reference }: Windows,
  index: number,
  history: number,
): Resumable<boolean> {
  const start = starts[index] as number // inside
  const decided = yield* decisionsIn(backtest, { start, history })
  return !sameDecisions(reference[index], decided, backtest.instrument)
}

/** Compares the decisions after a history with the reference; the bound is that of the worst list, for each must hold by itself. */
function* compare(lists: readonly Windows[], history: number, confidence: number): Resumable<Comparison> {
  let [all, decisions, bound] = [0, 0, 0]
  for (const windows of lists) {
    const { length } = windows.starts
    let differing = 0
    for (let index = 0; index < length; index++) if (yield* differs(windows, index, history)) differing++
    all += differing
    decisions += length
    bound = Math.max(bound, upperBound(differing, length, confidence))
  }
  return { history, differing: all, decisions, bound }
}

/**
 * The shortest length up to half of the longest without differences, for it and for all tried longer ones.
 */
function* search(windows: Windows, longest: number, seed: number): Resumable<number | undefined> {
  const agrees = function* (history: number): Resumable<boolean> {
    for (let index = 0; index < windows.starts.length; index++)
      if (yield* differs(windows, index, history)) return false
    return true
  }
  const random = seededRandom(seed).uniform
  let tooShort = -1
  for (;;) {
    const found: number | undefined = yield* shortestAbove(tooShort, agrees, longest >> 1)
    if (found === undefined) return undefined
    const failing: number | undefined = yield* longestFailing(longerThan(found, longest, random), agrees)
    if (failing === undefined) return found
    tooShort = failing
  }
}

/** True if no decision differs after a history of so many klines. */
type Agreement = (history: number) => Resumable<boolean>

function* longestFailing(samples: readonly number[], agrees: Agreement): Resumable<number | undefined> {
  for (const history of samples.toReversed()) if (!(yield* agrees(history))) return history
  return undefined
}

/** The shortest length above `tooShort` that agrees, if agreement only ever begins; `undefined` if it does not begin up to `most`. */
function* shortestAbove(tooShort: number, agrees: Agreement, most: number): Resumable<number | undefined> {
  let low = tooShort
  let high = low + 1
  for (let step = 1; !(yield* agrees(high)); step *= 2) {
    low = high
    if (high >= most) return undefined
    high = Math.min(high + step, most)
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (yield* agrees(middle)) high = middle
    else low = middle
  }
  return high > most ? undefined : high
}

/** The next two lengths, twice the length, and some of every order of magnitude up to `longest`; ascending. */
function longerThan(found: number, longest: number, random: () => number): number[] {
  const ratio = longest / (found + 1)
  const drawn = Array.from({ length: SAMPLES }, () => Math.round((found + 1) * ratio ** random()))
  const all = [found + 1, found + 2, 2 * found + 1, ...drawn]
  return [...new Set(all)].filter(history => history > found && history < longest).sort((a, b) => a - b)
}
