/** Wilder's smoothing: the mean of the first `period` inputs, then value += (input - value) / period. */
export class WilderAverage {
  /** `NaN` before `period` inputs. */
  value = Number.NaN
  readonly #period: number
  #seen = 0
  #sum = 0

  constructor(period: number) {
    this.#period = period
  }

  update(input: number): void {
    if (this.#seen >= this.#period) {
      this.value += (input - this.value) / this.#period
      return
    }
    this.#sum += input
    if (++this.#seen === this.#period) this.value = this.#sum / this.#period
  }
}
