import type { KlineSeries } from '../domain/kline-series.ts'
import type { Line } from './crossing.ts'
import { type Formula, linesOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/** Bollinger bands; their own value is the middle one, the simple moving average. */
export interface BollingerBands extends Indicator {
  /** The middle plus so many standard deviations. */
  readonly upper: Line
  /** The middle less so many standard deviations. */
  readonly lower: Line
}

/**
 * Bollinger bands: `deviations` standard deviations (of the population, as TA-Lib has it) around the simple moving average
 * of the last `period` klines. J. Bollinger, "Bollinger on Bollinger Bands", 2001.
 */
export function bollinger(period: number, deviations = 2, source: KlineSource = 'close'): BollingerBands {
  return linesOf(new BandsFormula(period, deviations, source), ['upper', 'lower'])
}

/** Below this part of the most that they were since, rounding has eaten into the sum of squares, which is then taken afresh. */
const TRUSTED_PART = 1e-6

/**
 * Mean and squared distances from it move with each kline (B. P. Welford, "Note on a method for calculating corrected sums
 * of squares and products", 1962, for a window), and are taken afresh once per `period` klines and where the squares fall
 * to a millionth: amortised O(1), and no rounding is kept for longer.
 */
class BandsFormula implements Formula {
  readonly requiredKlines: number
  readonly #deviations: number
  readonly #source: KlineSource
  readonly #window: Float64Array
  #sum = 0
  /** Sum of the squared distances from the mean. */
  #squares = 0
  /** The most that was since it was taken afresh. */
  #mostSquares = 0
  #next = 0
  /** Whether `period` klines have come. */
  #isFull = false

  constructor(period: number, deviations: number, source: KlineSource) {
    this.requiredKlines = period
    this.#deviations = deviations
    this.#source = source
    this.#window = new Float64Array(period)
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
    const period = this.#window.length
    for (let row = from; row < to; row++) {
      this.#take(inputs[row] as number) // rows exist
      const middle = this.#isFull ? this.#sum / period : Number.NaN
      const distance = this.#deviations * Math.sqrt(this.#squares / period)
      const index = at + row - from
      values[index] = middle
      values[index + stride] = middle + distance
      values[index + 2 * stride] = middle - distance
    }
  }

  #take(input: number): void {
    const window = this.#window
    const period = window.length
    const oldest = window[this.#next] as number // #next is always inside
    const mean = this.#sum / period
    window[this.#next++] = input
    this.#sum += input - oldest
    this.#squares += (input - oldest) * (input - this.#sum / period + (oldest - mean))
    if (this.#next === period) {
      this.#next = 0
      this.#isFull = true
      this.#takeAfresh()
    } else if (this.#squares < this.#mostSquares * TRUSTED_PART) this.#takeAfresh()
    this.#mostSquares = Math.max(this.#mostSquares, this.#squares)
  }

  #takeAfresh(): void {
    const window = this.#window
    let sum = 0
    // Index loops: iterators cost twice as much here.
    for (let index = 0; index < window.length; index++) sum += window[index] as number // inside the bounds
    const mean = sum / window.length
    let squares = 0
    for (let index = 0; index < window.length; index++) {
      const distance = (window[index] as number) - mean
      squares += distance * distance
    }
    this.#sum = sum
    this.#squares = squares
    this.#mostSquares = squares
  }
}
