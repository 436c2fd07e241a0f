import { defer, filter, map, type OperatorFunction } from 'rxjs'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ClosedKline } from '../closed-kline.ts'

/**
 * With every kline those of the last `ms` milliseconds of market time, newest last: the klines that opened no earlier than
 * `ms` before its close. Where klines are missing, there are fewer. Nothing is emitted before the stream reaches back so far.
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
