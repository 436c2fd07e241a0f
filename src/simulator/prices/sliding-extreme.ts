import type { Ticks } from '../../domain/numbers/grid.ts'

interface Candidate {
  readonly id: number
  readonly price: Ticks
}

/**
 * The highest (or lowest) price among the latest items of a series with ascending ids, in constant amortized
 * time.
 */
export class SlidingExtreme {
  readonly #isBeaten: (price: Ticks, by: Ticks) => boolean
  /** From the extreme down to the newest: a newer item that is no worse displaces earlier ones. */
  #candidates: Candidate[] = []
  #start = 0

  constructor(of: 'highest' | 'lowest') {
    this.#isBeaten = of === 'highest' ? (price, by) => price <= by : (price, by) => price >= by
  }

  /** The extreme of the remaining items. */
  get price(): Ticks | undefined {
    return this.#candidates[this.#start]?.price
  }

  /** Takes on the next item. */
  add(item: Candidate): void {
    const candidates = this.#candidates
    for (let last = candidates.at(-1); last !== undefined; last = candidates.at(-1)) {
      if (candidates.length === this.#start || !this.#isBeaten(last.price, item.price)) break
      candidates.pop()
    }
    candidates.push({ id: item.id, price: item.price })
  }

  /** Forgets the items up to an id. */
  dropUntil(id: number): void {
    while ((this.#candidates[this.#start]?.id ?? Number.POSITIVE_INFINITY) <= id) this.#start++
    if (this.#start < 64 || this.#start * 2 < this.#candidates.length) return
    this.#candidates = this.#candidates.slice(this.#start)
    this.#start = 0
  }
}
