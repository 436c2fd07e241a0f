import { expect } from 'vitest'

/** An exchange's own count of one limit: fails the test the moment that any window of `perMs` holds more. */
export class LimitGuard {
  readonly #name: string
  readonly #limit: number
  readonly #perMs: number
  readonly #counted: { readonly at: number; readonly weight: number }[] = []
  #first = 0
  #used = 0
  /** The most that any window held. */
  peak = 0

  constructor(name: string, limit: number, perMs: number) {
    this.#name = name
    this.#limit = limit
    this.#perMs = perMs
  }

  /** Counts a call that arrives now; both ends of a window belong to it. */
  count(at: number, weight: number): void {
    this.#counted.push({ at, weight })
    this.#used += weight
    for (let oldest = this.#counted[this.#first]; oldest !== undefined && oldest.at < at - this.#perMs; ) {
      this.#used -= oldest.weight
      oldest = this.#counted[++this.#first]
    }
    this.peak = Math.max(this.peak, this.#used)
    if (this.#used > this.#limit) {
      expect.unreachable(`${this.#name}: ${this.#used} of ${this.#limit} in ${this.#perMs} ms at ${at}`)
    }
  }
}
