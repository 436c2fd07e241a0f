import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { type Formula, indicatorOf } from './formula-indicator.ts'
import type { Indicator } from './indicator.ts'
import { WilderAverage } from './wilder-average.ts'

/** Average true range in quote, with Wilder's smoothing; the first kline has no previous close and gives no range, as in TA-Lib. */
export function atr(period: number): Indicator {
  return indicatorOf(new AverageTrueRange(period), `atr ${period}`)
}

class AverageTrueRange implements Formula {
  readonly requiredKlines: number
  readonly #average: WilderAverage
  #lastClose = Number.NaN

  constructor(period: number) {
    this.requiredKlines = period + 1
    this.#average = new WilderAverage(period)
  }

  compute(
    { high, low, close }: KlineSeries,
    from: number,
    to: number,
    values: Float64Array,
    at: number,
  ): void {
    for (let row = from; row < to; row++) {
      const lastClose = this.#lastClose
      this.#lastClose = close[row] as number // rows exist
      if (!Number.isNaN(lastClose)) {
        const top = Math.max(high[row] as number, lastClose)
        const bottom = Math.min(low[row] as number, lastClose)
        this.#average.update(top - bottom)
      }
      values[at + row - from] = this.#average.value
    }
  }
}
