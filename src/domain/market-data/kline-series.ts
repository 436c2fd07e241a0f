import type { Kline } from './kline.ts'

/**
 * Klines in columns: row `n` of all columns is one kline. Ascending by open time, all columns of one length.
 */
export interface KlineSeries {
  /** ms UTC. */
  readonly openTime: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** A position in kline columns, moved row by row. */
export interface KlineCursor {
  readonly klines: KlineSeries
  /** The next row to emit; the row before it was emitted last. */
  next: number
}

/**
 * View of one row of kline columns: five machine words instead of an object with six boxed numbers, so that
 * emitting a kline costs very little. It is immutable and never points to another row, so a strategy may keep
 * it. Its fields are getters: read them by name, since a spread (`{ ...kline }`) copies none of them.
 */
export class KlineRow implements Kline {
  readonly #series: KlineSeries
  readonly #row: number

  /** The row must exist. */
  constructor(series: KlineSeries, row: number) {
    this.#series = series
    this.#row = row
  }

  get openTime(): number {
    return this.#series.openTime[this.#row] as number // the row exists, here and below
  }

  get open(): number {
    return this.#series.open[this.#row] as number
  }

  get high(): number {
    return this.#series.high[this.#row] as number
  }

  get low(): number {
    return this.#series.low[this.#row] as number
  }

  get close(): number {
    return this.#series.close[this.#row] as number
  }

  get volume(): number {
    return this.#series.volume[this.#row] as number
  }
}
