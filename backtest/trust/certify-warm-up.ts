import type { Pausing } from '../pausing.ts'
import type { BacktestOptions } from '../run-backtest.ts'
import { decisionsIn, sameDecisions } from './decision-window.ts'
import { declaredWarmUp } from './declared-warm-up.ts'
import type { RecordEntry } from './recorded-strategy.ts'
import { recordRun } from './run-record.ts'
import { seededRandom } from './seeded-random.ts'
import { windowStarts } from './window-starts.ts'

/** What a certificate is made of. */
export interface WarmUpOptions {
  readonly backtest: BacktestOptions
  readonly seed: number
}

/** How much history a strategy needs. */
export interface WarmUpCertificate {
  /**
   * Klines before the first decision (not counting the one it decides on) from which on every longer history that was
   * tried leads to the same decisions; `undefined` where that cannot be said.
   */
  readonly needed: number | undefined
  /** Why it cannot be said: a whole sentence. */
  readonly reason: string | undefined
  /** What the strategy says it needs. */
  readonly declared: number
  /** Windows that were compared, and the decisions in them. */
  readonly windows: number
  readonly decisions: number
  /** The longest history that was tried; all others were compared with it. */
  readonly longest: number
  /** Lengths longer than `needed` that were tried as samples. */
  readonly samples: readonly number[]
}

/** Longer histories that are tried before a length counts as enough. */
const SAMPLES = 8

/**
 * Finds the history that a strategy needs before its decisions stop depending on where the data starts. Windows of the
 * second half of the data are played with histories of different lengths before them: the strategy sees the history, but
 * decides nothing and is flat until the window begins, as a bot that has just been started. The shortest length from which
 * on the decisions in all windows are those after the longest history (half of the data) is searched in steps that double,
 * then between the last two; then longer ones, chosen by the seed, are tried as well, and the search goes on above each
 * that disagrees. Only a length of which twice as much was tried counts. Feeds show before a window what the strategy declares
 * to need of them, and before those that all are compared with everything. Pauses as the backtest does.
 */
export function* certifyWarmUp({ backtest, seed }: WarmUpOptions): Pausing<WarmUpCertificate> {
  const { klines } = backtest
  const declared = declaredWarmUp(backtest)
  const longest = klines.length >> 1
  const baseline = yield* recordRun(backtest)
  if (baseline.error !== undefined) throw baseline.error
  const starts = windowStarts(baseline.entries, { first: longest, last: klines.length - 1, seed })
  const reference: (readonly RecordEntry[] | undefined)[] = []
  for (const start of starts)
    reference.push(yield* decisionsIn(backtest, { start, history: longest, hasAllFeeds: true }))
  const decisions = reference.reduce((sum, entries) => sum + (entries?.length ?? 0), 0)
  const found = { declared, windows: starts.length, decisions, longest }
  if (decisions === 0) {
    const reason = `It decides nothing in the second half of the ${klines.length} klines, so there is nothing to compare.`
    return { ...found, needed: undefined, reason, samples: [] }
  }
  const agrees: Agreement = function* (history) {
    for (const [index, start] of starts.entries()) {
      const decided = yield* decisionsIn(backtest, { start, history })
      if (!sameDecisions(reference[index], decided, backtest.instrument)) return false
    }
    return true
  }
  const { needed, samples } = yield* search(agrees, longest, seed)
  if (needed !== undefined) return { ...found, needed, reason: undefined, samples }
  const reason = `Histories of more than ${longest >> 1} klines still lead to other decisions, and the data allows ${longest} at most: its memory has no end, or needs more data to be measured.`
  return { ...found, needed, reason, samples }
}

/** Whether a history of so many klines leads to the decisions after the longest. */
type Agreement = (history: number) => Pausing<boolean>

interface Search {
  readonly needed: number | undefined
  readonly samples: readonly number[]
}

function* search(agrees: Agreement, longest: number, seed: number): Pausing<Search> {
  const random = seededRandom(seed)
  const most = longest >> 1
  let tooShort = -1
  for (;;) {
    const needed = yield* shortestAbove(tooShort, agrees, most)
    if (needed === undefined) return { needed, samples: [] }
    const samples = longerThan(needed, longest, random)
    const failing = yield* longestFailing(samples, agrees)
    if (failing === undefined) return { needed, samples }
    tooShort = failing
  }
}

function* longestFailing(samples: readonly number[], agrees: Agreement): Pausing<number | undefined> {
  for (const history of samples.toReversed()) if (!(yield* agrees(history))) return history
  return undefined
}

/** The shortest length above `tooShort` that agrees, if agreement only ever begins; `undefined` if it does not begin up to `most`. */
function* shortestAbove(tooShort: number, agrees: Agreement, most: number): Pausing<number | undefined> {
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
function longerThan(needed: number, longest: number, random: () => number): number[] {
  const ratio = longest / (needed + 1)
  const drawn = Array.from({ length: SAMPLES }, () => Math.round((needed + 1) * ratio ** random()))
  const all = [needed + 1, needed + 2, 2 * needed + 1, ...drawn]
  return [...new Set(all)].filter(history => history > needed && history < longest).sort((a, b) => a - b)
}
