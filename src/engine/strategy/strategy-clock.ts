import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { KlineCursor } from '../../domain/market-data/kline-series.ts'

/** Market time of one strategy, and its number of klines. */
export class StrategyClock {
  readonly interval: Interval
  #klines = 0
  #time = Number.NaN
  /** Position within a batch of klines: the time is that of the row shown last, computed on access. */
  #cursor: KlineCursor | undefined
  /** Its row when it was followed. */
  #followedFrom = 0

  constructor(interval: Interval) {
    this.interval = interval
  }

  /** Klines of the strategy's own instrument and interval that were shown. */
  get klines(): number {
    return this.#cursor === undefined ? this.#klines : this.#klines + this.#cursor.next - this.#followedFrom
  }

  set klines(klines: number) {
    this.#klines = klines
  }

  /** Market time, ms UTC; NaN before the first. */
  get time(): number {
    if (this.#cursor === undefined) return this.#time
    const { klines, next } = this.#cursor
    return later(this.#time, closeTimeOf(klines.openTime[next - 1] as number, this.interval)) // shown, hence a row
  }

  /**
   * Market time never goes back, even when a fill is reported late: so no decision shares its time and
   * ordinal with another.
   */
  advance(time: number): void {
    this.#time = later(this.#time, time)
  }

  /** Follows the rows shown by a cursor, until `settle`. */
  follow(cursor: KlineCursor): void {
    this.#cursor = cursor
    this.#followedFrom = cursor.next
  }

  /** Stays at the row shown last. */
  settle(): void {
    const { time, klines } = this
    this.#cursor = undefined
    this.#klines = klines
    this.#time = time
  }
}

function later(time: number, other: number): number {
  return other <= time ? time : other
}
