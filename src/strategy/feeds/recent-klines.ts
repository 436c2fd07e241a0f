import type { Kline } from '../../domain/market-data/kline.ts'

/** The latest klines, as many as a strategy wants to look back at. */
export class RecentKlines {
  readonly #length: number
  readonly #klines: Kline[] = []
  #shown: readonly Kline[] | undefined

  /** `length`: how many are remembered. */
  constructor(length: number) {
    this.#length = length
  }

  /** Takes the next closed kline. */
  push(kline: Kline): void {
    this.#klines.push(kline)
    this.#shown = undefined
    // Twice the length, so that moving the rest happens once in so many klines.
    if (this.#klines.length > 2 * this.#length) this.#klines.splice(0, this.#klines.length - this.#length)
  }

  /** Newest last; fewer than wanted before so many have come. A list that is handed out never changes. */
  get all(): readonly Kline[] {
    this.#shown ??= this.#klines.slice(-this.#length)
    return this.#shown
  }
}
