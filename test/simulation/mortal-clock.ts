import type { Clock } from '../../src/domain/clock.ts'

/** A clock of one life: when that is over, none of its timers calls back any more. */
export class MortalClock implements Clock {
  readonly #clock: Clock
  readonly #isAlive: () => boolean
  readonly #aheadMs: number

  /** `aheadMs`: how far the machine's clock is ahead of the world's. */
  constructor(clock: Clock, isAlive: () => boolean, aheadMs = 0) {
    this.#clock = clock
    this.#isAlive = isAlive
    this.#aheadMs = aheadMs
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  schedule(delayMs: number, callback: () => void): () => void {
    return this.#clock.schedule(delayMs, () => {
      if (this.#isAlive()) callback()
    })
  }
}
