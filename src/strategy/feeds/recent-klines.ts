import type { Kline } from '../../domain/market-data/kline.ts'

/** The latest klines, up to the length of a strategy's `history`. */
export class RecentKlines {
  readonly #length: number
  readonly #klines: Kline[] = []
  #shown: readonly Kline[] | undefined

  /** `length`: number of klines kept. */
  constructor(length: number) {
    this.#length = length
  }

  /** Takes the next closed kline. */
  push(kline: Kline): void {
    this.#klines.push(kline)
    this.#shown = undefined
    // Holds up to twice the length, so that klines are moved only once per `length` klines.
    if (this.#klines.length > 2 * this.#length) this.#klines.splice(0, this.#klines.length - this.#length)
  }

  /** Newest last; fewer than `length` at the beginning. A returned list never changes. */
  get all(): readonly Kline[] {
    this.#shown ??= this.#klines.slice(-this.#length)
    return this.#shown
  }
}
