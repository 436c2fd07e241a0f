import type { DailySeries } from '../metrics/returns/daily-series.ts'
import type { SpanDays } from './span-days.ts'

/** Summary of a curve of equity. */
export interface FoldedEquity {
  readonly series: DailySeries
  /** A fraction of the peak. */
  readonly maxDrawdown: number
  readonly endEquity: number
}

/** Equity of a run as it is played, folded into its value at the end of each day and its largest drawdown. */
export class EquityFold {
  readonly #days: SpanDays
  /** Rows before the span. */
  readonly #before: number
  readonly #values: Float64Array
  #start: number
  #day = 0
  #taken = 0
  #peak: number
  #low: number
  #deepest = 0
  #end: number

  /** `startEquity`: before the first row. */
  constructor(days: SpanDays, before: number, startEquity: number) {
    this.#days = days
    this.#before = before
    this.#values = new Float64Array(days.closed.length)
    this.#start = startEquity
    this.#peak = startEquity
    this.#low = startEquity
    this.#end = startEquity
  }

  /** Takes the rows of `equity` from the first that was not taken yet to `to - 1`. */
  take(equity: Float64Array, to: number): void {
    const from = this.#taken
    this.#taken = to
    const before = this.#before
    if (from < before) this.#begin(equity[Math.min(before, to) - 1] as number) // a row that was just played
    if (to <= before) return
    const first = from < before ? before : from
    this.#fall(equity, first, to)
    const { closed } = this.#days
    while (this.#day < closed.length && before + (closed[this.#day] as number) <= to) {
      const row = before + (closed[this.#day] as number) - 1
      this.#values[this.#day] = row >= first ? (equity[row] as number) : this.#valueBefore
      this.#day++
    }
    this.#end = equity[to - 1] as number // the last row that was played
  }

  /** Ends the curve after `rows` rows where the account was ruined: all that were not taken are zero. */
  end(rows: number): void {
    this.take(new Float64Array(rows), rows)
  }

  /** The summary of the curve so far. */
  get result(): FoldedEquity {
    const { firstDay } = this.#days
    return {
      series: { firstDay, start: this.#start, values: this.#values },
      maxDrawdown: this.#deepestNow,
      endEquity: this.#end,
    }
  }

  #begin(equity: number): void {
    this.#start = equity
    this.#peak = equity
    this.#low = equity
    this.#end = equity
  }

  /** Value at the end of the day before; a day without klines repeats it. */
  get #valueBefore(): number {
    return this.#values[this.#day - 1] ?? this.#start
  }

  #fall(equity: Float64Array, from: number, to: number): void {
    let [peak, low] = [this.#peak, this.#low]
    for (let row = from; row < to; row++) {
      const worth = equity[row] as number // inside the bounds
      if (worth >= peak) {
        if (low < peak) this.#deepest = Math.max(this.#deepest, (peak - low) / peak)
        peak = worth
        low = worth
      } else if (worth < low) low = worth
    }
    this.#peak = peak
    this.#low = low
  }

  get #deepestNow(): number {
    const [deepest, peak, low] = [this.#deepest, this.#peak, this.#low]
    return low < peak ? Math.max(deepest, (peak - low) / peak) : deepest
  }
}
