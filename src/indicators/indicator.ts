import type { Kline } from '../domain/kline.ts'
import type { KlineSeries } from '../domain/kline-series.ts'

/** A number computed from closed klines, one at a time, in O(1) per kline. */
export interface Indicator<Value = number> {
  /** Klines it needs before `value` means something. */
  readonly requiredKlines: number
  /** Takes the next closed kline. */
  update(kline: Kline): void
  /**
   * Told by a replay which klines come next (rows `from` to `to - 1`), so that they can be computed in one tight loop;
   * `update` still shows them one by one, and nothing of them before. The values must be those of single updates.
   */
  announce?(klines: KlineSeries, from: number, to: number): void
  /** Value at the latest kline; `NaN` (or undefined for values that are no numbers) before `requiredKlines`. */
  readonly value: Value
  /** Value one kline earlier. */
  readonly previous: Value
}

/** Which number of a kline an indicator reads. */
export type KlineSource = 'open' | 'high' | 'low' | 'close' | 'volume'
