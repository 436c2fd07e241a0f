import { defer, filter, map, type OperatorFunction } from 'rxjs'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { Indicator } from '../../indicators/indicator.ts'

/** A kline with what an indicator says at it. */
export interface IndicatedKline<K extends Kline, Value> {
  readonly kline: K
  /** At this kline. */
  readonly value: Value
  /** One kline earlier. */
  readonly previous: Value
}

/**
 * Feeds an indicator with the klines of a stream: `resampled$.pipe(withIndicator(() => sma(20)))`. Emits from the kline on at
 * which it has a value. Each subscription makes an indicator of its own, hence the function. Indicators of `klines$` itself
 * are cheaper where they belong: among the strategy's `indicators`, which also declares their warm-up.
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
