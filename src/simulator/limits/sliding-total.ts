import { BoundedList } from '../bounded-list.ts'

interface Entry {
  readonly time: number
  amount: number
}

/** Sliding sum over the last `lengthMs` ms. */
export class SlidingTotal {
  readonly #lengthMs: number
  readonly #entries = new BoundedList<Entry>(Number.POSITIVE_INFINITY)
  #total = 0

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  /** The sum at `now` (ms UTC); times must not go back. */
  at(now: number): number {
    for (let oldest = this.#entries.oldest; oldest !== undefined; oldest = this.#entries.oldest) {
      if (oldest.time > now - this.#lengthMs) break
      this.#total -= oldest.amount
      this.#entries.dropOldest()
    }
    return this.#total
  }

  /** Adds an amount at `now`, ms UTC. */
  add(amount: number, now: number): void {
    const newest = this.#entries.newest
    if (newest?.time === now) newest.amount += amount
    else this.#entries.push({ time: now, amount })
    this.#total += amount
  }
}
