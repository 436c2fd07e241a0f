import type { Kline } from '../domain/market-data/kline.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/** The part of a `trading-signals` indicator that Sluice needs; any object of this shape plugs in. */
export interface PluggableIndicator<Input, Result> {
  add(input: Input): unknown
  getResult(): Result | null
  getRequiredInputs(): number
}

/**
 * Feeds a `trading-signals` indicator from klines: `plugIn(new ADX(14), 'kline')`, `plugIn(new WMA(20), 'close')`.
 * An indicator of candles takes `'kline'`; one of single numbers takes the name of a kline's field.
 */
export function plugIn<Result>(
  indicator: PluggableIndicator<number, Result>,
  source: KlineSource,
): Indicator<Result>
export function plugIn<Result>(
  indicator: PluggableIndicator<Kline, Result>,
  source: 'kline',
): Indicator<Result>
export function plugIn<Result>(
  indicator: PluggableIndicator<number, Result> | PluggableIndicator<Kline, Result>,
  source: KlineSource | 'kline',
): Indicator<Result> {
  // The overloads allow only matching pairs of indicator and source.
  return source === 'kline'
    ? new PluggedIndicator(indicator as PluggableIndicator<Kline, Result>, kline => kline)
    : new PluggedIndicator(indicator as PluggableIndicator<number, Result>, kline => kline[source])
}

class PluggedIndicator<Input, Result> implements Indicator<Result> {
  readonly requiredKlines: number
  // Not meaningful before `requiredKlines`; no handler runs before that.
  value = undefined as Result
  previous = undefined as Result
  readonly #indicator: PluggableIndicator<Input, Result>
  readonly #read: (kline: Kline) => Input

  constructor(indicator: PluggableIndicator<Input, Result>, read: (kline: Kline) => Input) {
    this.requiredKlines = indicator.getRequiredInputs()
    this.#indicator = indicator
    this.#read = read
  }

  update(kline: Kline): void {
    this.#indicator.add(this.#read(kline))
    this.previous = this.value
    const result = this.#indicator.getResult()
    if (result !== null) this.value = result
  }
}
