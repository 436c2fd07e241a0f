import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import type { Line } from './crossing.ts'
import { type Formula, linesOf } from './formula-indicator.ts'
import type { Indicator } from './indicator.ts'
import { WilderAverage } from './wilder-average.ts'

/** Average directional index, 0 to 100: strength of a trend in either direction. */
export interface DirectionalIndex extends Indicator {
  /** +DI: share of the upward movement in the range, 0 to 100. */
  readonly plus: Line
  /** -DI: share of the downward movement in the range, 0 to 100. */
  readonly minus: Line
}

/**
 * Average directional index and its two indicators with Wilder's smoothing; each average starts with the mean
 * of its first `period` numbers (J. W. Wilder, "New Concepts in Technical Trading Systems", 1978). 0 without
 * any movement.
 */
export function adx(period = 14): DirectionalIndex {
  return linesOf(new AdxFormula(period), ['plus', 'minus'], `adx ${period}`)
}

class AdxFormula implements Formula {
  readonly requiredKlines: number
  readonly #range: WilderAverage
  readonly #up: WilderAverage
  readonly #down: WilderAverage
  readonly #index: WilderAverage
  #last = { high: Number.NaN, low: Number.NaN, close: Number.NaN }

  constructor(period: number) {
    this.requiredKlines = 2 * period
    this.#range = new WilderAverage(period)
    this.#up = new WilderAverage(period)
    this.#down = new WilderAverage(period)
    this.#index = new WilderAverage(period)
  }

  compute(
    { high, low, close }: KlineSeries,
    from: number,
    to: number,
    values: Float64Array,
    at: number,
    stride: number,
  ): void {
    for (let row = from; row < to; row++) {
      this.#take(high[row] as number, low[row] as number, close[row] as number) // rows exist
      const range = this.#range.value
      const plus = partOf(this.#up.value, range)
      const minus = partOf(this.#down.value, range)
      if (!Number.isNaN(range)) this.#index.update(partOf(Math.abs(plus - minus), plus + minus))
      const index = at + row - from
      values[index] = this.#index.value
      values[index + stride] = plus
      values[index + 2 * stride] = minus
    }
  }

  /** The first kline has no predecessor, and so neither range nor movement. */
  #take(high: number, low: number, close: number): void {
    const last = this.#last
    if (!Number.isNaN(last.close)) {
      const [up, down] = [high - last.high, last.low - low]
      this.#range.update(Math.max(high, last.close) - Math.min(low, last.close))
      this.#up.update(up > down && up > 0 ? up : 0)
      this.#down.update(down > up && down > 0 ? down : 0)
    }
    last.high = high
    last.low = low
    last.close = close
  }
}

/** Share in percent. */
function partOf(part: number, whole: number): number {
  return whole === 0 ? 0 : 100 * (part / whole)
}
