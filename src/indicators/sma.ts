import type { Kline } from '../domain/kline.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Simple moving average of the last `period` klines, O(1). The running sum is taken afresh once per `period` klines
 * (amortised O(1)), so its rounding error never outgrows that of 2 × period additions.
 */
export function sma(period: number, source: KlineSource = 'close'): Indicator {
  return new SimpleMovingAverage(period, source)
}

class SimpleMovingAverage implements Indicator {
  readonly requiredKlines: number
  value = Number.NaN
  previous = Number.NaN
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

  update(kline: Kline): void {
    const input = kline[this.#source]
    const window = this.#window
    const leaving = window[this.#next] as number // inside the window by construction of #next
    window[this.#next] = input
    this.#sum += input - leaving
    this.#seen++
    if (++this.#next === window.length) {
      this.#next = 0
      this.#sum = sumOf(window)
    }
    this.previous = this.value
    if (this.#seen >= window.length) this.value = this.#sum / window.length
  }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  // An index loop: an iterator costs twice as much here, once per period of klines.
  for (let index = 0; index < values.length; index++) sum += values[index] as number // inside the bounds
  return sum
}
