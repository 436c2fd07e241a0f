import type { Kline } from '../domain/kline.ts'
import type { Indicator, KlineSource } from './indicator.ts'
import { WilderAverage } from './wilder-average.ts'

/** Relative strength index, 0 to 100, with Wilder's smoothing (J. W. Wilder, "New Concepts in Technical Trading Systems", 1978). 50 where nothing moved. */
export function rsi(period: number, source: KlineSource = 'close'): Indicator {
  return new RelativeStrengthIndex(period, source)
}

class RelativeStrengthIndex implements Indicator {
  readonly requiredKlines: number
  value = Number.NaN
  previous = Number.NaN
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

  update(kline: Kline): void {
    const input = kline[this.#source]
    const change = input - this.#last
    this.#last = input
    if (Number.isNaN(change)) return
    this.#gain.update(Math.max(change, 0))
    this.#loss.update(Math.max(-change, 0))
    this.previous = this.value
    this.value = indexOf(this.#gain.value, this.#loss.value)
  }
}

function indexOf(gain: number, loss: number): number {
  const moved = gain + loss
  return moved === 0 ? 50 : 100 * (gain / moved)
}
