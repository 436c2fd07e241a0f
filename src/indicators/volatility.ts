import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator } from './indicator.ts'
import { WindowSpread } from './window-spread.ts'

/**
 * Volatility: sample standard deviation (ddof 1) of the last `period` logarithmic close-to-close returns, per
 * kline. To annualise it, multiply by the square root of the klines per year. `period` is at least 2.
 */
export function volatility(period: number): Indicator {
  return indicatorOf(new VolatilityFormula(period), `volatility ${period}`)
}

class VolatilityFormula implements Formula {
  readonly requiredKlines: number
  readonly #freedom: number
  readonly #spread: WindowSpread
  #last = Number.NaN

  constructor(period: number) {
    this.requiredKlines = period + 1
    this.#freedom = period - 1
    this.#spread = new WindowSpread(period)
  }

  compute({ close }: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    const spread = this.#spread
    for (let row = from; row < to; row++) {
      const price = close[row] as number // rows exist
      const change = Math.log(price / this.#last)
      this.#last = price
      // The first kline has no predecessor.
      if (!Number.isNaN(change)) spread.take(change)
      values[at + row - from] = spread.isFull ? Math.sqrt(spread.squares / this.#freedom) : Number.NaN
    }
  }
}
