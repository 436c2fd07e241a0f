import type { UnitPoint } from './search-space.ts'

/** A trial that was told: its point, and its score, of which more is better. */
export interface ScoredPoint {
  readonly unit: UnitPoint
  /** `undefined` for a trial that failed or that the strategy refused. */
  readonly score: number | undefined
}

/** Points that a sampler was asked for so far. */
export interface AskedSoFar {
  /** In order of number. */
  readonly finished: readonly ScoredPoint[]
  /** Asked, but not yet finished. */
  readonly pending: readonly UnitPoint[]
}

/**
 * Chooses points to try. The answer depends on the seed, the number of the trial (from 0) and what is known, and on
 * nothing else: a search goes on from its finished trials alone. `undefined` where there is nothing left to try.
 */
export type Sampler = (number: number, known: AskedSoFar) => UnitPoint | undefined
