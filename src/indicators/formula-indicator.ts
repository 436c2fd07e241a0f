import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineSeries } from '../domain/market-data/kline-series.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import type { Line } from './crossing.ts'
import type { Indicator } from './indicator.ts'

/**
 * Computes the values of an indicator from klines. There is only one way to compute them, so that blocks and
 * single klines cannot differ.
 */
export interface Formula {
  readonly requiredKlines: number
  /**
   * Writes the values at the rows `from` to `to - 1` to `values`, from index `at` on, and those of each
   * further line `stride` further on; rows come in order, each once.
   */
  compute(
    klines: KlineSeries,
    from: number,
    to: number,
    values: Float64Array,
    at: number,
    stride: number,
  ): void
}

/**
 * The indicator of a formula. `key` names formula and arguments: indicators of the same key compute the same values.
 */
export function indicatorOf(formula: Formula, key: string): Indicator {
  return new FormulaIndicator(formula, 1, key)
}

/** Indicator of a formula with several lines: the first is its value, the others have these names; `key` as above. */
export function linesOf<const Name extends string>(
  formula: Formula,
  names: readonly Name[],
  key: string,
): Indicator & Readonly<Record<Name, Line>> {
  const indicator = new FormulaIndicator(formula, 1 + names.length, key)
  const lines = {} as Record<Name, Line> // every name gets its line just below
  for (const [index, name] of names.entries()) lines[name] = new FurtherLine(indicator, index + 1)
  return Object.assign(indicator, lines)
}

/**
 * Announces the klines that a replay delivers next (rows `from` to `to - 1`) to an indicator of a formula, so
 * that it computes them in one tight loop; `update` still delivers them one by one, and their values stay
 * hidden until then. Other indicators get no announcement: code with access to unclosed klines could look
 * ahead. Throws `InvariantError` while announced klines are still undelivered.
 */
export function announceTo(
  indicator: Indicator<unknown>,
  klines: KlineSeries,
  from: number,
  to: number,
): void {
  FormulaIndicator.announce(indicator, klines, from, to)
}

/** The values of one key, computed once for all indicators that are announced the same rows. */
interface SharedValues {
  readonly owner: FormulaIndicator
  /** The rows that it holds: from `from` to `to - 1`. */
  from: number
  to: number
}

const shared = new WeakMap<KlineSeries, Map<string, SharedValues>>()

/**
 * The same klines, on which indicators of one key are computed once for all runs that go through them in step: each announces a
 * block of rows before any announces the next. Values are those of each indicator by itself.
 */
export function shareIndicators<Klines extends KlineSeries>(klines: Klines): Klines {
  const copy = { ...klines }
  shared.set(copy, new Map())
  return copy
}

/** Number of earlier values kept at the start of a block: `previous` and `value`. */
const KEPT = 2

/** One class for all formulas, so that feeding the indicators of a strategy is one loop over one shape. */
class FormulaIndicator implements Indicator {
  readonly requiredKlines: number
  readonly #formula: Formula
  readonly #isSingle: boolean
  readonly #key: string
  /** Source of its values: other indicators' as well, or itself; unknown before its first klines. */
  #isShared: boolean | undefined
  /** Values of each line, one line after the other. */
  #values: Float64Array
  /** Distance from a value of a line to that of the next line at the same kline. */
  #stride = KEPT + 1
  /** Index of the latest value. */
  #at = KEPT - 1
  /** Index of the last value that was computed ahead. */
  #end = KEPT - 1

  constructor(formula: Formula, lines: number, key: string) {
    this.requiredKlines = formula.requiredKlines
    this.#formula = formula
    this.#isSingle = lines === 1
    this.#key = key
    this.#values = new Float64Array(lines * this.#stride).fill(Number.NaN)
  }

  get value(): number {
    return this.#values[this.#at] as number // from 1 on
  }

  get previous(): number {
    return this.#values[this.#at - 1] as number // from 0 on
  }

  /** Value of a line, from 0 on, `ago` klines before the latest one. */
  valueAt(line: number, ago: 0 | 1): number {
    return this.#values[line * this.#stride + this.#at - ago] as number // inside, as above
  }

  update(kline: Kline): void {
    if (this.#at === this.#end) this.#announceOne(kline)
    this.#at++
  }

  /** Not a method of the indicator: a replaced method would receive klines ahead of time. */
  static announce(indicator: object, klines: KlineSeries, from: number, to: number): void {
    if (#formula in indicator) indicator.#announce(klines, from, to)
  }

  #announce(klines: KlineSeries, from: number, to: number): void {
    if (this.#at !== this.#end)
      throw new InvariantError('Klines were announced before the ones announced earlier had come.')
    const values = this.#sharedValues(klines, from, to)
    if (values === undefined) this.#compute(klines, from, to)
    else {
      this.#values = values.#values
      this.#stride = values.#stride
    }
    this.#at = KEPT - 1
    this.#end = KEPT - 1 + to - from
  }

  /** The owner of the values of these rows, where they are shared; `undefined` where this indicator computes them. */
  #sharedValues(klines: KlineSeries, from: number, to: number): FormulaIndicator | undefined {
    if (this.#isShared === false) return undefined
    const known = shared.get(klines)
    // One that begins later than the others has seen other klines than they have.
    this.#isShared ??= known !== undefined && from === 0 && (known.get(this.#key)?.from ?? 0) === 0
    if (!this.#isShared || known === undefined) return undefined
    const values = known.get(this.#key) ?? this.#shareValues(known)
    if (values.to === from) values.owner.#advance(values, klines, from, to)
    if (values.from === from && values.to === to) return values.owner
    throw new InvariantError('Runs that share indicators went through their klines out of step.')
  }

  #shareValues(known: Map<string, SharedValues>): SharedValues {
    const lines = this.#values.length / this.#stride
    const owner = new FormulaIndicator(this.#formula, lines, this.#key)
    const values = { owner, from: 0, to: 0 }
    known.set(this.#key, values)
    return values
  }

  /** Computes the next rows as the owner of shared values, which nobody updates. */
  #advance(values: SharedValues, klines: KlineSeries, from: number, to: number): void {
    this.#at = this.#end
    this.#compute(klines, from, to)
    this.#end = KEPT - 1 + to - from
    values.from = from
    values.to = to
  }

  #compute(klines: KlineSeries, from: number, to: number): void {
    const { value, previous } = this
    if (this.#isSingle) {
      if (this.#values.length < KEPT + to - from) this.#values = new Float64Array(KEPT + to - from)
      this.#values[0] = previous
      this.#values[1] = value
    } else this.#keepLines(KEPT + to - from)
    this.#formula.compute(klines, from, to, this.#values, KEPT, this.#stride)
  }

  /** Moves `previous` and `value` of every line to the start of its values, and makes room for more. */
  #keepLines(needed: number): void {
    const earlier = this.#values
    const earlierStride = this.#stride
    if (earlierStride < needed) {
      this.#stride = needed
      this.#values = new Float64Array((earlier.length / earlierStride) * needed)
    }
    for (let line = 0; line * earlierStride < earlier.length; line++) {
      const latest = line * earlierStride + this.#at
      this.#values[line * this.#stride] = earlier[latest - 1] as number // inside, as above
      this.#values[line * this.#stride + 1] = earlier[latest] as number
    }
  }

  /** Computes a kline that was not announced as a block of one. */
  #announceOne({ openTime, open, high, low, close, volume }: Kline): void {
    ONE_ROW.openTime[0] = openTime
    ONE_ROW.open[0] = open
    ONE_ROW.high[0] = high
    ONE_ROW.low[0] = low
    ONE_ROW.close[0] = close
    ONE_ROW.volume[0] = volume
    this.#announce(ONE_ROW, 0, 1)
  }
}

/** A further line, with the values at the latest kline of its indicator. */
class FurtherLine implements Line {
  readonly #indicator: FormulaIndicator
  readonly #line: number

  constructor(indicator: FormulaIndicator, line: number) {
    this.#indicator = indicator
    this.#line = line
  }

  get value(): number {
    return this.#indicator.valueAt(this.#line, 0)
  }

  get previous(): number {
    return this.#indicator.valueAt(this.#line, 1)
  }
}

/** Overwritten before each use, not read after it. */
const ONE_ROW: KlineSeries = {
  openTime: new Float64Array(1),
  open: new Float64Array(1),
  high: new Float64Array(1),
  low: new Float64Array(1),
  close: new Float64Array(1),
  volume: new Float64Array(1),
}
