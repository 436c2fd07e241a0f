/** When the latest orders were sent: as many times as there may be orders in a window. */
export class OrderTimes {
  #times: number[]
  #next = 0

  /** Remembers the times of `count` orders. */
  constructor(count: number) {
    this.#times = Array.from({ length: count }, () => Number.NEGATIVE_INFINITY)
  }

  /** Market time of the oldest of the remembered orders, ms UTC; minus infinity before there are so many. */
  get oldest(): number {
    return this.#times[this.#next] ?? Number.NEGATIVE_INFINITY
  }

  /** An order was sent. */
  note(time: number): void {
    this.#times[this.#next] = time
    this.#next = (this.#next + 1) % this.#times.length
  }

  /** The times, oldest first. */
  snapshot(): readonly number[] {
    return [...this.#times.slice(this.#next), ...this.#times.slice(0, this.#next)]
  }

  /** Takes over what `snapshot` gave. */
  restore(times: readonly number[]): void {
    this.#times = [...times]
    this.#next = 0
  }
}
