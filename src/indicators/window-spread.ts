/**
 * If the sum of squares falls below this part of its maximum since the last recomputation, it is recomputed,
 * because rounding has damaged it.
 */
const TRUSTED_PART = 1e-6

/**
 * Mean of the last `period` numbers, and the sum of squared distances from it. Both are updated with each
 * number (B. P. Welford, "Note on a method for calculating corrected sums of squares and products", 1962, for
 * a window), and recomputed once per `period` numbers and when the squares fall to a millionth: amortised
 * O(1), without accumulating rounding errors.
 */
export class WindowSpread {
  /** Sum of the squared distances from the mean. */
  squares = 0
  /** True after `period` numbers. */
  isFull = false
  readonly #window: Float64Array
  #sum = 0
  /** Maximum of the squares since they were recomputed. */
  #mostSquares = 0
  #next = 0

  constructor(period: number) {
    this.#window = new Float64Array(period)
  }

  get mean(): number {
    return this.#sum / this.#window.length
  }

  take(input: number): void {
    const period = this.#window.length
    const oldest = this.#window[this.#next] as number // #next is always inside
    const mean = this.#sum / period
    this.#window[this.#next++] = input
    this.#sum += input - oldest
    this.squares += (input - oldest) * (input - this.#sum / period + (oldest - mean))
    if (this.#next === period) {
      this.#next = 0
      this.isFull = true
      this.#takeAfresh()
    } else if (this.squares < this.#mostSquares * TRUSTED_PART) this.#takeAfresh()
    this.#mostSquares = Math.max(this.#mostSquares, this.squares)
  }

  #takeAfresh(): void {
    const window = this.#window
    let sum = 0
    // Index loops: iterators cost twice as much here.
    for (let index = 0; index < window.length; index++) sum += window[index] as number // inside the bounds
    const mean = sum / window.length
    let squares = 0
    for (let index = 0; index < window.length; index++) {
      const distance = (window[index] as number) - mean
      squares += distance * distance
    }
    this.#sum = sum
    this.squares = squares
    this.#mostSquares = squares
  }
}
