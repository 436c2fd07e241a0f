import { defer, filter, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'

/**
 * Emits the first value in every kline period of `interval`, also without a subscription to such klines:
 * values from 10:00 and before 11:00 share an hour. `scheduler` is the context's. (For once per kline of an
 * existing stream, use `throttle(() => klines$)` of rxjs.)
 */
export function oncePer<Value>(
  interval: Interval,
  scheduler: SchedulerLike,
): MonoTypeOperatorFunction<Value> {
  return source$ =>
    defer(() => {
      let latest: number | undefined
      return source$.pipe(
        filter(() => {
          const kline = openTimeOf(scheduler.now(), interval)
          const isFirst = kline !== latest
          latest = kline
          return isFirst
        }),
      )
    })
}
