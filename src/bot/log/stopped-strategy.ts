/** Reason that a strategy has stopped: it threw, it ended itself, or its instrument was halted. */
export interface StoppedStrategy {
  readonly how: 'threw' | 'ended' | 'halted'
  /** A sentence. */
  readonly why: string
}

/** A strategy that had stopped by the end of a run. */
export interface StoppedSummary extends StoppedStrategy {
  readonly strategy: string
  readonly book: string
}
