/** Numbers, as many as come. */
export class NumberList {
  #numbers = new Float64Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.#length++] = value
  }

  /** All of them, not copied. */
  get numbers(): Float64Array {
    return this.#numbers.subarray(0, this.#length)
  }
}
