/**
 * The only source of time at the boundary: real, accelerated or virtual. All inner code gets its time from
 * events instead.
 */
export interface Clock {
  /** ms UTC, a whole number that never goes back. */
  now(): number
  /** Calls `callback` once, `delayMs` of this clock's milliseconds from now (at least 0); the returned function cancels it. */
  schedule(delayMs: number, callback: () => void): () => void
}
