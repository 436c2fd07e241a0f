const MINUTE = 60_000
const MINUTES = 1440

/** Rolling 24-hour ticker by whole minutes: the current one, and those before it. */
export class RollingDay {
  readonly #high = new Float64Array(MINUTES).fill(Number.NEGATIVE_INFINITY)
  readonly #low = new Float64Array(MINUTES).fill(Number.POSITIVE_INFINITY)
  readonly #volume = new Float64Array(MINUTES)
  /** The minute that is running, counted from 1970. */
  #minute = Number.NEGATIVE_INFINITY

  /** Takes in a trade; `time` in ms UTC, never before an earlier one. */
  add(time: number, price: number, quantity: number): void {
    const minute = Math.floor(time / MINUTE)
    for (let next = Math.max(this.#minute + 1, minute - MINUTES + 1); next <= minute; next++)
      this.#empty(next)
    this.#minute = minute
    const place = minute % MINUTES
    this.#high[place] = Math.max(this.#high[place] as number, price)
    this.#low[place] = Math.min(this.#low[place] as number, price)
    this.#volume[place] = (this.#volume[place] as number) + quantity
  }

  get high(): number {
    return this.#high.reduce((high, of) => Math.max(high, of), Number.NEGATIVE_INFINITY)
  }

  get low(): number {
    return this.#low.reduce((low, of) => Math.min(low, of), Number.POSITIVE_INFINITY)
  }

  /** In base. */
  get volume(): number {
    return this.#volume.reduce((sum, of) => sum + of, 0)
  }

  #empty(minute: number): void {
    const place = minute % MINUTES
    this.#high[place] = Number.NEGATIVE_INFINITY
    this.#low[place] = Number.POSITIVE_INFINITY
    this.#volume[place] = 0
  }
}
