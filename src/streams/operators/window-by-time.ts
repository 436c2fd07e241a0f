import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ClosedKline } from '../closed-kline.ts'

/**
 * Emits with every kline those of the last `ms` milliseconds of market time, newest last: klines that opened
 * no earlier than `ms` before its close; fewer if klines are missing. Emits nothing until the stream covers
 * `ms`.
 */
export function windowByTime(ms: number): OperatorFunction<ClosedKline, readonly ClosedKline[]> {
  if (!(ms > 0 && Number.isFinite(ms)))
    throw new UsageError(`windowByTime was given ${ms}, but needs a number of milliseconds above 0.`)
  return source$ =>
    defer(() => {
      let begin: number | undefined
      let window: readonly ClosedKline[] = []
      return source$.pipe(
        map(kline => {
          begin ??= kline.openTime
          const from = kline.closeTime - ms
          window = [...window.filter(({ openTime }) => openTime >= from), kline]
          return { isFull: begin <= from, window }
        }),
        filter(({ isFull }) => isFull),
        map(full => full.window),
      )
    })
}
