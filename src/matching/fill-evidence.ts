import type { Steps } from '../domain/numbers/grid.ts'
import type { QueueAssumption } from './queue-assumption.ts'

/**
 * Rule by which a fill came about. Observed: `walked` (a taker took what a snapshot shows), `tradedThrough` (a
 * public trade beyond the price of a resting order), `quotedThrough` (the opposite best beyond it). Assumed:
 * `queued` (a trade at its price, behind the assumed queue), `tradedBeside` (without known order books, a taker
 * gets the price and at most the size of a trade whose taker is of its side), `gapMinute` (a minute without
 * known trades went through it).
 */
export type MatchingRule =
  | 'walked'
  | 'tradedThrough'
  | 'quotedThrough'
  | 'queued'
  | 'tradedBeside'
  | 'gapMinute'

/** Rules that rest on observations alone. */
const OBSERVED: ReadonlySet<MatchingRule> = new Set<MatchingRule>([
  'walked',
  'tradedThrough',
  'quotedThrough',
])

/** True for a rule that assumes neither a queue nor what happened in a gap. */
export function isObservedRule(rule: MatchingRule): boolean {
  return OBSERVED.has(rule)
}

/** Evidence for a fill of an order on an observed market. Times are ms UTC. */
export interface FillEvidence {
  readonly rule: MatchingRule
  /** Time of the snapshot that was walked, or that is the latest one. */
  readonly snapshot: number | undefined
  /** The public trades behind it, by their ids at the host. */
  readonly tradeIds: readonly string[]
  /** When the order reached the market. */
  readonly arrivedAt: number
  /** Queue ahead of a resting order before and after; `undefined` where it is of no account, or unknown. */
  readonly queueBefore?: Steps | undefined
  readonly queueAfter?: Steps | undefined
  readonly assumption: QueueAssumption
  /** Minute of a gap that decided, and why there is a gap. */
  readonly minute?: number | undefined
  readonly gap?: string | undefined
}
