import {
  catchError,
  defer,
  exhaustMap,
  from,
  ignoreElements,
  map,
  type Observable,
  of,
  repeat,
  type SchedulerLike,
  switchMap,
  timer,
} from 'rxjs'

/** Result of one read. A failure is a value, so that the stream continues. */
export type Polled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: unknown }

/** Reads once; a failure becomes a value. */
export function readOnce<Value>(read: () => Promise<Value>): Observable<Polled<Value>> {
  return defer(() => from(read())).pipe(
    map(value => ({ ok: true, value }) as const),
    catchError((error: unknown) => of({ ok: false, error } as const)),
  )
}

/** Reads now and then every `everyMs`; a longer read delays the next one, reads never overlap. */
export function poll<Value>(
  read: () => Promise<Value>,
  everyMs: number,
  scheduler: SchedulerLike,
): Observable<Polled<Value>> {
  return timer(0, everyMs, scheduler).pipe(exhaustMap(() => readOnce(read)))
}

/**
 * Longest wait before `whenDue` calls `dueAt` again, ms: a new measurement of the exchange's time may bring
 * the due time closer.
 */
const LONGEST_WAIT_MS = 5000

/**
 * Runs `work$` at the time that `dueAt` returns (ms of the scheduler's clock), then at the next one, for
 * ever; never two at a time.
 */
export function whenDue<Value>(
  dueAt: () => number,
  work$: Observable<Value>,
  scheduler: SchedulerLike,
): Observable<Value> {
  return defer(() => {
    const waitMs = Math.max(0, dueAt() - scheduler.now())
    return waitMs > LONGEST_WAIT_MS
      ? timer(LONGEST_WAIT_MS, scheduler).pipe(ignoreElements())
      : timer(waitMs, scheduler).pipe(switchMap(() => work$))
  }).pipe(repeat())
}
