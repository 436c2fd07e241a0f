/**
 * When the latest orders were sent: as many times as there may be orders in a window. Kept in order, because a kline that is
 * shown late is decided on at an earlier time than a fill before it.
 */
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
    const { length } = this.#times
    if (time < this.oldest) return
    let at = this.#next
    this.#next = (at + 1) % length
    for (let left = length - 1; left > 0; left--) {
      const before = (at + length - 1) % length
      const earlier = this.#times[before] ?? Number.NEGATIVE_INFINITY
      if (earlier <= time) break
      this.#times[at] = earlier
      at = before
    }
    this.#times[at] = time
  }

  /** The times, oldest first. */
  snapshot(): readonly number[] {
    return [...this.#times.slice(this.#next), ...this.#times.slice(0, this.#next)]
  }

  /** Restores a snapshot. */
  restore(times: readonly number[]): void {
    this.#times = [...times]
    this.#next = 0
  }
}
