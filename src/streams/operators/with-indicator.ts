import { defer, filter, map, type OperatorFunction } from 'rxjs'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { Indicator } from '../../indicators/indicator.ts'

/** A kline with the value of an indicator at it. */
export interface IndicatedKline<K extends Kline, Value> {
  readonly kline: K
  /** Value at this kline. */
  readonly value: Value
  /** Value one kline earlier. */
  readonly previous: Value
}

/**
 * Feeds an indicator with the klines of a stream: `resampled$.pipe(withIndicator(() => sma(20)))`. Emits from
 * the first kline on at which it has a value. Takes a function because each subscription needs its own
 * indicator. For `klines$` itself, declare the indicator among the strategy's `indicators`: that is cheaper,
 * and declares its warm-up.
 */
export function withIndicator<K extends Kline, Value>(
  make: () => Indicator<Value>,
): OperatorFunction<K, IndicatedKline<K, Value>> {
  return klines$ =>
    defer(() => {
      const indicator = make()
      let seen = 0
      return klines$.pipe(
        map(kline => {
          indicator.update(kline)
          seen++
          return { kline, value: indicator.value, previous: indicator.previous }
        }),
        filter(() => seen >= indicator.requiredKlines),
      )
    })
}
