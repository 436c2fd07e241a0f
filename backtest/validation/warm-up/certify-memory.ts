import type { BacktestOptions } from '../../run/backtest-options.ts'
import type { Resumable } from '../../run/resumable.ts'
import { lowerBound, upperBound } from './binomial-bound.ts'
import { decisionsIn, sameDecisions } from './decision-window.ts'
import { idleMoments, type MemoryUse } from './watched-memory.ts'

/** Tells whether a bot that starts, with a fresh `state`, decides as one that has run for long before. */
export interface MemoryProof {
  readonly verdict: 'holds' | 'fails' | 'undecided'
  /** Reason of a verdict other than `holds`, a sentence; otherwise `undefined`. */
  readonly reason: string | undefined
  /** Moments without a position and orders, where the state was at all of them as at a start; absent if it was another at any. */
  readonly unchangedAt?: number
  /** Decisions compared, and those of them that differ; absent where none were. */
  readonly compared?: MemoryComparison
}

/** Decisions that follow moments without a position and orders: with a fresh state, and with that of a bot that has run since the beginning of the data. */
export interface MemoryComparison {
  readonly differing: number
  readonly decisions: number
  /** Confidence bounds of the share that differs, the lower and the upper one. */
  readonly atLeast: number
  readonly bound: number
}

/** Terms of a proof. */
export interface MemoryTerms {
  /** Rows on which windows begin; each list has to prove it. */
  readonly lists: readonly (readonly number[])[]
  /** Klines of history of the bot that starts, and of the other. */
  readonly history: number
  readonly longest: number
  readonly level: { readonly share: number; readonly confidence: number }
  /** Decisions of which none must differ. */
  readonly needed: number
}

/** True if there are decisions to compare: where the state is the same at all moments, none has to be. */
export function hasToCompare({ isOpaque, hasChanged, idleRows }: MemoryUse, needed: number): boolean {
  return !isOpaque && (hasChanged || idleRows.length < needed)
}

/**
 * Compares the decisions of a bot that starts, its indicators warmed up and its state fresh, with those of one that has run since
 * the beginning of the data, which has the state that it had then. Only moments count at which it had neither a position nor
 * orders: what it holds is no memory, and a bot that starts has none of it. Both have its balances of then.
 */
export function* certifyMemory(
  backtest: BacktestOptions,
  use: MemoryUse,
  terms: MemoryTerms,
): Resumable<MemoryProof> {
  const { level, needed } = terms
  if (use.isOpaque) return undecided(OPAQUE)
  if (!hasToCompare(use, needed))
    return { verdict: 'holds', reason: undefined, unchangedAt: use.idleRows.length }
  const compared = yield* compareMemory(backtest, terms)
  if (compared === undefined) return undecided(OPAQUE)
  const { differing, decisions, atLeast, bound } = compared
  if (atLeast > level.share) return { verdict: 'fails', reason: FORGETS, compared }
  if (decisions > 0 && bound <= level.share) return { verdict: 'holds', reason: undefined, compared }
  const where = `Cannot be certified: its \`state\` begins afresh at a start, and that can only be compared at decisions without a position and orders, of which`
  return undecided(
    decisions === 0
      ? `${where} there are none.`
      : `${where} there are ${decisions}, and ${differing} differ. At least ${needed} are needed, of which none does.`,
    compared,
  )
}

const OPAQUE =
  'Cannot be certified: its `state` holds functions or instances of classes, so no other run can continue with it. Keep plain data in it, and indicators in `indicators`.'
const FORGETS =
  'its decisions depend on what `state` remembers from before a start, which no warm-up restores, because its klines reach the indicators only. Keep that in an indicator, or compute it from `history`.'

function undecided(reason: string, compared?: MemoryComparison): MemoryProof {
  return { verdict: 'undecided', reason, ...(compared !== undefined && { compared }) }
}

/** `undefined` if the state cannot be copied. */
function* compareMemory(
  backtest: BacktestOptions,
  { lists, history, longest, level }: MemoryTerms,
): Resumable<MemoryComparison | undefined> {
  const moments = yield* idleMoments(backtest, new Set(lists.flat()))
  if (moments === undefined) return undefined
  let [differing, decisions, bound] = [0, 0, 0]
  for (const rows of lists) {
    let [differingHere, decisionsHere] = [0, 0]
    for (const start of rows) {
      const moment = moments.get(start)
      if (moment === undefined) continue
      decisionsHere++
      const { balances } = moment
      const begun = yield* decisionsIn(backtest, { start, history, from: { balances } })
      const gone = yield* decisionsIn(backtest, { start, history: longest, hasAllFeeds: true, from: moment })
      if (!sameDecisions(gone, begun, backtest.instrument)) differingHere++
    }
    differing += differingHere
    decisions += decisionsHere
    if (decisionsHere === 0) continue
    bound = Math.max(bound, upperBound(differingHere, decisionsHere, level.confidence))
  }
  const atLeast = decisions === 0 ? 0 : lowerBound(differing, decisions, level.confidence)
  return { differing, decisions, atLeast, bound }
}
