/** The latest values of a series: old ones are dropped, a good part of them at once. */
export class Recent<Value> {
  readonly #most: number
  readonly #values: Value[] = []
  #dropped = 0

  /** Keeps at least `most` values. */
  constructor(most: number) {
    this.#most = most
  }

  /** Oldest first. */
  get all(): readonly Value[] {
    return this.#values
  }

  /** Number of values that are not kept any more. */
  get dropped(): number {
    return this.#dropped
  }

  push(value: Value): void {
    this.#values.push(value)
    if (this.#values.length > this.#most * 1.25)
      this.#dropped += this.#values.splice(0, this.#values.length - this.#most).length
  }

  /** Puts a value in the place of one that is kept. */
  replace(before: Value, value: Value): void {
    const place = this.#values.lastIndexOf(before)
    if (place >= 0) this.#values[place] = value
  }

  /** The latest `count` values, the latest first. */
  latest(count: number): readonly Value[] {
    return this.#values.slice(-count).reverse()
  }
}
