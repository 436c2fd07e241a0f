import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Highest value of the last `period` klines: the upper Donchian channel, including the current kline (use
 * `previous` to exclude it).
 */
export function highest(period: number, source: KlineSource = 'high'): Indicator {
  return indicatorOf(new RollingExtreme(period, source, 1), `highest ${period} ${source}`)
}

/**
 * Lowest value of the last `period` klines: the lower Donchian channel, including the current kline (use
 * `previous` to exclude it).
 */
export function lowest(period: number, source: KlineSource = 'low'): Indicator {
  return indicatorOf(new RollingExtreme(period, source, -1), `lowest ${period} ${source}`)
}

/**
 * Highest (`sign` 1) or lowest (-1) value of a window. Monotonic queue in a ring: amortised O(1), and exact,
 * because it only compares. D. Lemire, "Streaming Maximum-Minimum Filter", 2006.
 */
export class RollingExtreme implements Formula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #sign: 1 | -1
  readonly #values: Float64Array
  readonly #rows: Float64Array
  #head = 0
  #length = 0
  #row = 0

  constructor(period: number, source: KlineSource, sign: 1 | -1) {
    this.requiredKlines = period
    this.#source = source
    this.#sign = sign
    this.#values = new Float64Array(period)
    this.#rows = new Float64Array(period)
  }

  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    const inputs = klines[this.#source]
    for (let row = from; row < to; row++) {
      this.#take((inputs[row] as number) * this.#sign) // rows exist
      values[at + row - from] = this.#row >= this.requiredKlines ? this.#at(0) * this.#sign : Number.NaN
    }
  }

  #take(input: number): void {
    this.#dropExpired()
    while (this.#length > 0 && this.#at(this.#length - 1) <= input) this.#length--
    this.#push(input)
    this.#row++
  }

  #dropExpired(): void {
    const oldest = this.#rows[this.#head] as number // #head is always inside the ring
    if (this.#length > 0 && oldest <= this.#row - this.requiredKlines) {
      this.#head = (this.#head + 1) % this.requiredKlines
      this.#length--
    }
  }

  #at(position: number): number {
    return this.#values[(this.#head + position) % this.requiredKlines] as number // modulo keeps it inside the ring
  }

  #push(input: number): void {
    const slot = (this.#head + this.#length++) % this.requiredKlines
    this.#values[slot] = input
    this.#rows[slot] = this.#row
  }
}
