import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'
import { WilderAverage } from './wilder-average.ts'

/**
 * Relative strength index, 0 to 100, with Wilder's smoothing (J. W. Wilder, "New Concepts in Technical
 * Trading Systems", 1978). 50 without any movement.
 */
export function rsi(period: number, source: KlineSource = 'close'): Indicator {
  return indicatorOf(new RelativeStrengthIndex(period, source), `rsi ${period} ${source}`)
}

class RelativeStrengthIndex implements Formula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #gain: WilderAverage
  readonly #loss: WilderAverage
  #last = Number.NaN

  constructor(period: number, source: KlineSource) {
    this.requiredKlines = period + 1
    this.#source = source
    this.#gain = new WilderAverage(period)
    this.#loss = new WilderAverage(period)
  }

  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void {
    const inputs = klines[this.#source]
    for (let row = from; row < to; row++) {
      const input = inputs[row] as number // rows exist
      const change = input - this.#last
      this.#last = input
      if (!Number.isNaN(change)) {
        this.#gain.update(Math.max(change, 0))
        this.#loss.update(Math.max(-change, 0))
      }
      values[at + row - from] = indexOf(this.#gain.value, this.#loss.value)
    }
  }
}

function indexOf(gain: number, loss: number): number {
  const moved = gain + loss
  return moved === 0 ? 50 : 100 * (gain / moved)
}
