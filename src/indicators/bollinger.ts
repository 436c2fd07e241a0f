import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import type { Line } from './crossing.ts'
import { type Formula, linesOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'
import { WindowSpread } from './window-spread.ts'

/** Bollinger bands; `value` is the middle band, the simple moving average. */
export interface BollingerBands extends Indicator {
  /** Middle band plus `deviations` standard deviations. */
  readonly upper: Line
  /** Middle band minus `deviations` standard deviations. */
  readonly lower: Line
}

/**
 * Bollinger bands: `deviations` standard deviations (of the population, as in TA-Lib) around the simple
 * moving average of the last `period` klines. J. Bollinger, "Bollinger on Bollinger Bands", 2001.
 */
export function bollinger(period: number, deviations = 2, source: KlineSource = 'close'): BollingerBands {
  return linesOf(
    new BandsFormula(period, deviations, source),
    ['upper', 'lower'],
    `bollinger ${period} ${deviations} ${source}`,
  )
}

class BandsFormula implements Formula {
  readonly requiredKlines: number
  readonly #deviations: number
  readonly #source: KlineSource
  readonly #spread: WindowSpread

  constructor(period: number, deviations: number, source: KlineSource) {
    this.requiredKlines = period
    this.#deviations = deviations
    this.#source = source
    this.#spread = new WindowSpread(period)
  }

  compute(
    klines: KlineSeries,
    from: number,
    to: number,
    values: Float64Array,
    at: number,
    stride: number,
  ): void {
    const inputs = klines[this.#source]
    const spread = this.#spread
    for (let row = from; row < to; row++) {
      spread.take(inputs[row] as number) // rows exist
      const middle = spread.isFull ? spread.mean : Number.NaN
      const distance = this.#deviations * Math.sqrt(spread.squares / this.requiredKlines)
      const index = at + row - from
      values[index] = middle
      values[index + stride] = middle + distance
      values[index + 2 * stride] = middle - distance
    }
  }
}
