import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import type { ColumnFormula } from './column-formula.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Simple moving average of the last `period` klines, O(1). The running sum is recomputed once per `period`
 * klines (amortised O(1)), so its rounding error never exceeds that of 2 × period additions.
 */
export function sma(period: number, source: KlineSource = 'close'): Indicator {
  return indicatorOf(new SimpleMovingAverage(period, source), `sma ${period} ${source}`)
}

/** Simple moving average of klines, or of any column of numbers. */
export class SimpleMovingAverage implements Formula, ColumnFormula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #window: Float64Array
  #sum = 0
  #next = 0
  /** True after `period` klines. */
  #isFull = false

  constructor(period: number, source: KlineSource = 'close') {
    this.requiredKlines = period
    this.#source = source
    this.#window = new Float64Array(period)
  }

  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    this.computeColumn(klines[this.#source], from, to, values, at)
  }

  computeColumn(inputs: Float64Array, from: number, to: number, values: Float64Array, at: number): void {
    const period = this.#window.length
    for (let row = from; row < to; ) {
      const end = Math.min(to, row + period - this.#next)
      this.#computeLap(inputs, row, end, values, at + row - from)
      row = end
    }
  }

  /** Rows up to the end of the window at most; there the sum is recomputed. */
  #computeLap(inputs: Float64Array, from: number, to: number, values: Float64Array, at: number): void {
    const window = this.#window
    const period = window.length
    let sum = this.#sum
    let next = this.#next
    for (let row = from; row < to; row++) {
      const input = inputs[row] as number // rows exist, and so do places until the end of the window
      sum += input - (window[next] as number)
      window[next++] = input
      values[at + row - from] = sum / period
    }
    if (next === period) {
      sum = sumOf(window)
      values[at + to - 1 - from] = sum / period
    }
    if (!this.#isFull) values.fill(Number.NaN, at, at + to - from - (next === period ? 1 : 0))
    this.#isFull ||= next === period
    this.#sum = sum
    this.#next = next % period
  }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  // An index loop: an iterator costs twice as much here, once per period of klines.
  for (let index = 0; index < values.length; index++) sum += values[index] as number // inside the bounds
  return sum
}
