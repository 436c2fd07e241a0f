import { isRecord } from '../domain/is-record.ts'
import type { Kline } from '../domain/market-data/kline.ts'

/** A number computed from closed klines, one at a time, in O(1) per kline. */
export interface Indicator<Value = number> {
  /** Klines needed before `value` is meaningful. */
  readonly requiredKlines: number
  /** Takes the next closed kline. */
  update(kline: Kline): void
  /** Value at the latest kline; `NaN` (undefined for values that are not numbers) before `requiredKlines`. */
  readonly value: Value
  /** Value one kline earlier. */
  readonly previous: Value
}

/** The present values of indicators, by their names; records are copied, because an indicator may reuse its own. */
export function valuesOf(
  indicators: Readonly<Record<string, Indicator<unknown>>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(indicators).map(([name, { value }]) => [name, isRecord(value) ? { ...value } : value]),
  )
}

/** Field of a kline that an indicator reads. */
export type KlineSource = 'open' | 'high' | 'low' | 'close' | 'volume'
