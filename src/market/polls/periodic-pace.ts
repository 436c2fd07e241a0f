import type { PeriodicTiming } from './poll-plan.ts'

/** Times of a periodic poll on an even grid. A read that takes longer than a period skips grid times. */
export class PeriodicPace {
  readonly everyMs: number
  readonly #firstAt: number
  #hasRead = false

  /** Starts at `startedAt`, ms UTC. */
  constructor({ everyMs, firstAfterMs }: PeriodicTiming, startedAt: number) {
    this.everyMs = everyMs
    this.#firstAt = startedAt + firstAfterMs
  }

  /** Next read, ms UTC. */
  dueAt(now: number): number {
    if (!this.#hasRead) return this.#firstAt
    const periods = Math.floor((now - this.#firstAt) / this.everyMs) + 1
    return this.#firstAt + Math.max(0, periods) * this.everyMs
  }

  /** Marks the start of a read. */
  begin(): void {
    this.#hasRead = true
  }
}
