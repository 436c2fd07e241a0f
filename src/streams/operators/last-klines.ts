import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { UsageError } from '../../domain/sluice-error.ts'

/**
 * Emits the last `count` values with every value, newest last, from the `count`th value on; of klines the
 * last `count`, also across gaps. (`bufferCount(count, 1)` of rxjs also emits shorter lists at the end.)
 */
export function lastKlines<Value>(count: number): OperatorFunction<Value, readonly Value[]> {
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`lastKlines was given ${count}, but needs a whole number of klines, 1 or more.`)
  return source$ =>
    defer(() => {
      let last: readonly Value[] = []
      return source$.pipe(
        map(value => {
          last = last.length < count ? [...last, value] : [...last.slice(1), value]
          return last
        }),
        filter(({ length }) => length === count),
      )
    })
}
