import type { Kline } from '../domain/kline.ts'
import type { KlineSeries } from '../domain/kline-series.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { Indicator } from './indicator.ts'

/** How the values of an indicator follow from klines. Only one way to compute them, so that blocks and single klines cannot differ. */
export interface Formula {
  readonly requiredKlines: number
  /** Writes the values at the rows `from` to `to - 1` to `values`, from index `at` on; rows come in order, each once. */
  compute(klines: KlineSeries, from: number, to: number, values: Float64Array, at: number): void
}

/** The indicator of a formula. */
export function indicatorOf(formula: Formula): Indicator {
  return new FormulaIndicator(formula)
}

/** Values of earlier klines that are kept where a block begins: `previous` and `value`. */
const KEPT = 2

/** One class for all formulas, so that feeding the indicators of a strategy is one loop over one shape. */
class FormulaIndicator implements Indicator {
  readonly requiredKlines: number
  readonly #formula: Formula
  #values = new Float64Array(KEPT + 1).fill(Number.NaN)
  /** Where the latest value is. */
  #at = KEPT - 1
  /** Where the last value that was computed ahead is. */
  #end = KEPT - 1

  constructor(formula: Formula) {
    this.requiredKlines = formula.requiredKlines
    this.#formula = formula
  }

  get value(): number {
    return this.#values[this.#at] as number // from 1 on
  }

  get previous(): number {
    return this.#values[this.#at - 1] as number // from 0 on
  }

  update(kline: Kline): void {
    if (this.#at === this.#end) this.#announceOne(kline)
    this.#at++
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    if (this.#at !== this.#end)
      throw new InvariantError('Klines were announced before the ones announced earlier had come.')
    const { value, previous } = this
    if (this.#values.length < KEPT + to - from) this.#values = new Float64Array(KEPT + to - from)
    this.#values[0] = previous
    this.#values[1] = value
    this.#formula.compute(klines, from, to, this.#values, KEPT)
    this.#at = KEPT - 1
    this.#end = KEPT - 1 + to - from
  }

  /** A kline that nobody announced is a block of one. */
  #announceOne({ openTime, open, high, low, close, volume }: Kline): void {
    ONE_ROW.openTime[0] = openTime
    ONE_ROW.open[0] = open
    ONE_ROW.high[0] = high
    ONE_ROW.low[0] = low
    ONE_ROW.close[0] = close
    ONE_ROW.volume[0] = volume
    this.announce(ONE_ROW, 0, 1)
  }
}

/** Overwritten before each use, never read after it. */
const ONE_ROW: KlineSeries = {
  openTime: new Float64Array(1),
  open: new Float64Array(1),
  high: new Float64Array(1),
  low: new Float64Array(1),
  close: new Float64Array(1),
  volume: new Float64Array(1),
}
