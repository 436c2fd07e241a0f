import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import type { ColumnFormula } from './column-formula.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Exponential moving average with weight 2 / (period + 1), started with the simple average of the first
 * `period` klines, as in TA-Lib. Rounding errors do not accumulate: every step shrinks the earlier ones by
 * the weight.
 */
export function ema(period: number, source: KlineSource = 'close'): Indicator {
  return indicatorOf(new ExponentialMovingAverage(period, source), `ema ${period} ${source}`)
}

/** Exponential moving average of klines, or of any column of numbers. */
export class ExponentialMovingAverage implements Formula, ColumnFormula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #weight: number
  #value = Number.NaN
  #seen = 0
  #sum = 0

  constructor(period: number, source: KlineSource = 'close') {
    this.requiredKlines = period
    this.#source = source
    this.#weight = 2 / (period + 1)
  }

  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    this.computeColumn(klines[this.#source], from, to, values, at)
  }

  computeColumn(inputs: Float64Array, from: number, to: number, values: Float64Array, at: number): void {
    const weight = this.#weight
    let row = from
    for (; row < to && this.#seen < this.requiredKlines; row++)
      values[at + row - from] = this.#start(inputs[row] as number) // rows exist
    let value = this.#value
    for (; row < to; row++) {
      value += weight * ((inputs[row] as number) - value)
      values[at + row - from] = value
    }
    this.#value = value
  }

  #start(input: number): number {
    this.#sum += input
    if (++this.#seen === this.requiredKlines) this.#value = this.#sum / this.requiredKlines
    return this.#value
  }
}
