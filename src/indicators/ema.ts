import type { Kline } from '../domain/kline.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/**
 * Exponential moving average with weight 2 / (period + 1), started with the simple average of the first `period`
 * klines, as TA-Lib does. Its error does not grow: every step shrinks the earlier one by the weight.
 */
export function ema(period: number, source: KlineSource = 'close'): Indicator {
  return new ExponentialMovingAverage(period, source)
}

class ExponentialMovingAverage implements Indicator {
  readonly requiredKlines: number
  value = Number.NaN
  previous = Number.NaN
  readonly #source: KlineSource
  readonly #weight: number
  #seen = 0
  #sum = 0

  constructor(period: number, source: KlineSource) {
    this.requiredKlines = period
    this.#source = source
    this.#weight = 2 / (period + 1)
  }

  update(kline: Kline): void {
    const input = kline[this.#source]
    this.previous = this.value
    if (this.#seen < this.requiredKlines) this.#start(input)
    else this.value += this.#weight * (input - this.value)
  }

  #start(input: number): void {
    this.#sum += input
    if (++this.#seen === this.requiredKlines) this.value = this.#sum / this.requiredKlines
  }
}
