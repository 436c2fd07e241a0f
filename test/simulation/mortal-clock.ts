import type { Clock } from '../../src/domain/clock.ts'

/** A clock of one life: when that is over, none of its timers calls back any more. */
export class MortalClock implements Clock {
  readonly #clock: Clock
  readonly #isAlive: () => boolean

  constructor(clock: Clock, isAlive: () => boolean) {
    this.#clock = clock
    this.#isAlive = isAlive
  }

  now(): number {
    return this.#clock.now()
  }

  schedule(delayMs: number, callback: () => void): () => void {
    return this.#clock.schedule(delayMs, () => {
      if (this.#isAlive()) callback()
    })
  }
}
