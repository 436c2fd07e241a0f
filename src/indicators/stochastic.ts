import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { follow } from './column-formula.ts'
import type { Line } from './crossing.ts'
import { type Formula, linesOf } from './formula-indicator.ts'
import type { Indicator } from './indicator.ts'
import { RollingExtreme } from './rolling-extreme.ts'
import { SimpleMovingAverage } from './sma.ts'

/** Stochastic oscillator, 0 to 100; `value` is %K. */
export interface Stochastic extends Indicator {
  /** %D: simple average of %K. */
  readonly d: Line
  /**
   * Position of the close between lowest low and highest high, without averaging, 0 to 100. 50 without any
   * movement.
   */
  readonly raw: Line
}

/**
 * Slow stochastic oscillator (G. Lane): position of the close in the range of the last `period` klines,
 * averaged over `smooth` klines (%K), and that averaged over `d` klines (%D). With `smooth` 1 it is the fast
 * one.
 */
export function stochastic(period = 14, smooth = 3, d = 3): Stochastic {
  return linesOf(
    new StochasticFormula(period, smooth, d),
    ['d', 'raw'],
    `stochastic ${period} ${smooth} ${d}`,
  )
}

class StochasticFormula implements Formula {
  readonly requiredKlines: number
  readonly #highest: RollingExtreme
  readonly #lowest: RollingExtreme
  readonly #k: SimpleMovingAverage
  readonly #d: SimpleMovingAverage

  constructor(period: number, smooth: number, d: number) {
    this.requiredKlines = period + smooth + d - 2
    this.#highest = new RollingExtreme(period, 'high', 1)
    this.#lowest = new RollingExtreme(period, 'low', -1)
    this.#k = new SimpleMovingAverage(smooth)
    this.#d = new SimpleMovingAverage(d)
  }

  compute(
    klines: KlineSeries,
    from: number,
    to: number,
    values: Float64Array,
    at: number,
    stride: number,
  ): void {
    const count = to - from
    const [d, raw] = [at + stride, at + 2 * stride]
    // Highest and lowest use the arrays of %K and %D until those are computed.
    this.#highest.compute(klines, from, to, values, at)
    this.#lowest.compute(klines, from, to, values, d)
    for (let row = 0; row < count; row++) {
      const bottom = values[d + row] as number // lines are as long as count
      values[raw + row] = placeOf(klines.close[from + row] as number, bottom, values[at + row] as number)
    }
    follow(this.#k, values, { at: raw, count, target: at })
    follow(this.#d, values, { at, count, target: d })
  }
}

function placeOf(close: number, bottom: number, top: number): number {
  return top === bottom ? 50 : 100 * ((close - bottom) / (top - bottom))
}
