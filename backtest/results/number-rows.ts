const FIRST_ROWS = 256

/** Rows of doubles, so many to a row, one after the other. */
export class NumberRows {
  readonly #width: number
  #values: Float64Array
  #used = 0

  constructor(width: number) {
    this.#width = width
    this.#values = new Float64Array(width * FIRST_ROWS)
  }

  /** Adds a row of zeros; returns its place, from which `set` counts. */
  add(): number {
    if (this.#used === this.#values.length) {
      const before = this.#values
      this.#values = new Float64Array(2 * before.length)
      this.#values.set(before)
    }
    const place = this.#used
    this.#used += this.#width
    return place
  }

  set(index: number, value: number): void {
    this.#values[index] = value
  }

  /** A value of a row that was added. */
  at(row: number, column: number): number {
    return this.#values[row * this.#width + column] as number
  }
}
