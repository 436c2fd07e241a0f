import { defer, filter, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'

/**
 * Lets the first value pass in every kline of `interval`, whether or not that kline is followed: what comes at a time from
 * 10:00 on and before 11:00 shares an hour. `scheduler` is the context's. (Once per kline of a stream that is there anyway:
 * `throttle(() => klines$)` of rxjs.)
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
