/** Below this part of the most that they were since, rounding has eaten into the sum of squares, which is then taken afresh. */
const TRUSTED_PART = 1e-6

/**
 * Mean of the last `period` numbers, and their squared distances from it. Both move with each number (B. P. Welford, "Note
 * on a method for calculating corrected sums of squares and products", 1962, for a window), and are taken afresh once per
 * `period` numbers and where the squares fall to a millionth: amortised O(1), and no rounding is kept for longer.
 */
export class WindowSpread {
  /** Sum of the squared distances from the mean. */
  squares = 0
  /** Whether `period` numbers have come. */
  isFull = false
  readonly #window: Float64Array
  #sum = 0
  /** The most that the squares were since they were taken afresh. */
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
