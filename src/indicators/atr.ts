import type { Kline } from '../domain/kline.ts'
import type { Indicator } from './indicator.ts'
import { WilderAverage } from './wilder-average.ts'

/** Average true range in quote, with Wilder's smoothing; the first kline has no previous close and gives no range, as in TA-Lib. */
export function atr(period: number): Indicator {
  return new AverageTrueRange(period)
}

class AverageTrueRange implements Indicator {
  readonly requiredKlines: number
  value = Number.NaN
  previous = Number.NaN
  readonly #average: WilderAverage
  #lastClose = Number.NaN

  constructor(period: number) {
    this.requiredKlines = period + 1
    this.#average = new WilderAverage(period)
  }

  update(kline: Kline): void {
    const lastClose = this.#lastClose
    this.#lastClose = kline.close
    if (Number.isNaN(lastClose)) return
    this.#average.update(Math.max(kline.high, lastClose) - Math.min(kline.low, lastClose))
    this.previous = this.value
    this.value = this.#average.value
  }
}
