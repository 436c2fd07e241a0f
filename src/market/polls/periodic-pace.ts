import type { PeriodicTiming } from './poll-plan.ts'

/** The moments of a periodic poll: an even grid. A read that takes longer than a period makes it leave moments out. */
export class PeriodicPace {
  readonly everyMs: number
  readonly #firstAt: number
  #hasRead = false

  /** Begins at `startedAt`, ms UTC. */
  constructor({ everyMs, firstAfterMs }: PeriodicTiming, startedAt: number) {
    this.everyMs = everyMs
    this.#firstAt = startedAt + firstAfterMs
  }

  /** The next moment, ms UTC. */
  dueAt(now: number): number {
    if (!this.#hasRead) return this.#firstAt
    const periods = Math.floor((now - this.#firstAt) / this.everyMs) + 1
    return this.#firstAt + Math.max(0, periods) * this.everyMs
  }

  /** A read begins. */
  begin(): void {
    this.#hasRead = true
  }
}
