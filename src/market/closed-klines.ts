import {
  concatMap,
  defer,
  from,
  map,
  type Observable,
  repeat,
  type SchedulerLike,
  switchMap,
  tap,
  timer,
} from 'rxjs'
import { closeTimeOf, type Interval, intervalMs } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import { readOnce } from './poll.ts'

/** Which closed klines to follow, and how. */
export interface ClosedKlinesOptions {
  readonly interval: Interval
  /** Open time of the latest kline already seen, ms UTC. */
  readonly after: number
  /** How long after a close to ask for it, ms. */
  readonly delayMs: number
  /** Reads the latest `limit` klines, oldest first; the newest may still be growing. */
  readonly read: (limit: number) => Promise<readonly Kline[]>
  readonly scheduler: SchedulerLike
}

/** A kline that closed, or a read that failed. */
export type ClosedKline =
  | { readonly ok: true; readonly kline: Kline }
  | { readonly ok: false; readonly error: unknown }

/** Most klines that the exchange gives at once. */
const PAGE = 300
/** A kline that is not there yet is asked for again after this share of the interval, at most a second. */
const RETRY_SHARE = 60

/**
 * Every kline that closes, exactly once and in order: each is asked for just after its close, again until it is there,
 * and what an outage missed comes first (up to 300 klines).
 */
export function closedKlines(options: ClosedKlinesOptions): Observable<ClosedKline> {
  const { interval, delayMs, read, scheduler } = options
  const retryMs = Math.min(1000, intervalMs(interval) / RETRY_SHARE)
  let last = options.after
  let triedAt = Number.NEGATIVE_INFINITY
  return defer(() => {
    const now = scheduler.now()
    const due = closeTimeOf(closeTimeOf(last, interval), interval) + delayMs
    const wait = Math.max(due - now, triedAt + retryMs - now, 0)
    return timer(wait, scheduler).pipe(
      switchMap(() => {
        triedAt = scheduler.now()
        return readOnce(() => read(missing(last, triedAt, interval)))
      }),
    )
  }).pipe(
    concatMap(polled =>
      polled.ok ? from(closedAfter(polled.value, last, interval, scheduler.now())) : from([polled]),
    ),
    map(found => ('ok' in found ? found : ({ ok: true, kline: found } as const))),
    tap(found => {
      if (found.ok) last = found.kline.openTime
    }),
    repeat(),
  )
}

function missing(last: number, now: number, interval: Interval): number {
  return Math.min(PAGE, Math.max(2, Math.ceil((now - last) / intervalMs(interval)) + 1))
}

function closedAfter(
  klines: readonly Kline[],
  last: number,
  interval: Interval,
  now: number,
): readonly Kline[] {
  return klines.filter(
    ({ openTime }, index) =>
      openTime > last &&
      openTime !== klines[index - 1]?.openTime && // some answers say a kline twice
      closeTimeOf(openTime, interval) <= now,
  )
}
