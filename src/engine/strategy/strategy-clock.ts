import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { KlineCursor } from '../../domain/market-data/kline-series.ts'

/** Market time of one strategy, and its number of klines. */
export class StrategyClock {
  readonly interval: Interval
  #klines = 0
  #time = Number.NaN
  #latest = Number.NaN
  #begun = Number.NaN
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
    return this.#ofKline(closeTimeOf(klines.openTime[next - 1] as number, this.interval)) // shown, hence a row
  }

  /** The latest market time so far, from which the next event goes on, ms UTC; NaN before the first. */
  get latest(): number {
    return this.#cursor === undefined ? this.#latest : later(this.#latest, this.time)
  }

  /** Begins a session: no kline is decided on at a time before it. */
  begin(time: number): void {
    this.#begun = time
    this.advance(time)
  }

  /** An event happened at `time`, ms UTC. Events never go back, even when a fill is reported late. */
  advance(time: number): void {
    this.#latest = later(this.#latest, time)
    this.#time = this.#latest
  }

  /**
   * A kline that closed at `closeTime`, ms UTC, is shown: its close is the time until the next event, however late it is shown and
   * whatever happened since, as in a backtest.
   */
  show(closeTime: number): void {
    this.#time = this.#ofKline(closeTime)
    this.#latest = later(this.#latest, this.#time)
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
    this.#latest = later(this.#latest, time)
  }

  #ofKline(closeTime: number): number {
    return later(this.#begun, closeTime)
  }
}

function later(time: number, other: number): number {
  return other <= time ? time : other
}
