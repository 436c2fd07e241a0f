import type { KlineSeries } from '../domain/kline-series.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Simple moving average of the last `period` klines, O(1). The running sum is taken afresh once per `period` klines
 * (amortised O(1)), so its rounding error never outgrows that of 2 × period additions.
 */
export function sma(period: number, source: KlineSource = 'close'): Indicator {
  return indicatorOf(new SimpleMovingAverage(period, source))
}

class SimpleMovingAverage implements Formula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #window: Float64Array
  #sum = 0
  #seen = 0
  #next = 0

  constructor(period: number, source: KlineSource) {
    this.requiredKlines = period
    this.#source = source
    this.#window = new Float64Array(period)
  }

  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    const inputs = klines[this.#source]
    const window = this.#window
    const period = window.length
    let sum = this.#sum
    let next = this.#next
    let missing = period - this.#seen
    for (let row = from; row < to; row++) {
      const input = inputs[row] as number // rows exist, and #next stays inside the window
      sum += input - (window[next] as number)
      window[next] = input
      if (++next === period) {
        next = 0
        sum = sumOf(window)
      }
      if (missing > 0) missing--
      values[at + row - from] = missing > 0 ? Number.NaN : sum / period
    }
    this.#sum = sum
    this.#next = next
    this.#seen = period - missing
  }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  // An index loop: an iterator costs twice as much here, once per period of klines.
  for (let index = 0; index < values.length; index++) sum += values[index] as number // inside the bounds
  return sum
}
