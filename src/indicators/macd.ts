import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { follow } from './column-formula.ts'
import type { Line } from './crossing.ts'
import { ExponentialMovingAverage } from './ema.ts'
import { type Formula, linesOf } from './formula-indicator.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/** Moving average convergence/divergence; `value` is the fast average minus the slow one, in quote. */
export interface Macd extends Indicator {
  /** Exponential average of the value. */
  readonly signal: Line
  /** The value minus its signal. */
  readonly histogram: Line
}

/**
 * MACD (G. Appel, 1979) of three exponential averages, 12, 26 and 9 by default; each starts with the simple average of its
 * first numbers, like `ema`.
 */
export function macd(fast = 12, slow = 26, signal = 9, source: KlineSource = 'close'): Macd {
  return linesOf(
    new MacdFormula({ fast, slow, signal }, source),
    ['signal', 'histogram'],
    `macd ${fast} ${slow} ${signal} ${source}`,
  )
}

class MacdFormula implements Formula {
  readonly requiredKlines: number
  readonly #source: KlineSource
  readonly #fast: ExponentialMovingAverage
  readonly #slow: ExponentialMovingAverage
  readonly #signal: ExponentialMovingAverage

  constructor(
    { fast, slow, signal }: Readonly<Record<'fast' | 'slow' | 'signal', number>>,
    source: KlineSource,
  ) {
    this.requiredKlines = Math.max(fast, slow) + signal - 1
    this.#source = source
    this.#fast = new ExponentialMovingAverage(fast)
    this.#slow = new ExponentialMovingAverage(slow)
    this.#signal = new ExponentialMovingAverage(signal)
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
    const count = to - from
    const [signal, histogram] = [at + stride, at + 2 * stride]
    this.#fast.computeColumn(inputs, from, to, values, at)
    // The slow average uses the array of the signal until the signal is computed.
    this.#slow.computeColumn(inputs, from, to, values, signal)
    subtract(values, { from: at, what: signal, count, target: at })
    follow(this.#signal, values, { at, count, target: signal })
    subtract(values, { from: at, what: signal, count, target: histogram })
  }
}

function subtract(
  values: Float64Array,
  { from, what, count, target }: Readonly<Record<'from' | 'what' | 'count' | 'target', number>>,
): void {
  for (let row = 0; row < count; row++)
    values[target + row] = (values[from + row] as number) - (values[what + row] as number) // lines are as long as count
}
