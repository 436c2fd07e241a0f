import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { UsageError } from '../../domain/sluice-error.ts'

/**
 * With every value the last `count` values, newest last, from the `count`th value on. Of klines: the last `count` of them,
 * whatever time they took. (`bufferCount(count, 1)` of rxjs also emits what is left at the end, shorter than that.)
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
