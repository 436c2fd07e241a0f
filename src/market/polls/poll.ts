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

/** What one read of an endpoint gave. A failure is a value: the stream lives on. */
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

/** Reads now and then every `everyMs`; a read that takes longer than that is waited for, never overlapped. */
export function poll<Value>(
  read: () => Promise<Value>,
  everyMs: number,
  scheduler: SchedulerLike,
): Observable<Polled<Value>> {
  return timer(0, everyMs, scheduler).pipe(exhaustMap(() => readOnce(read)))
}

/** Longest wait before `whenDue` asks again when its work is due: a moment of the exchange's time may come closer by a new measurement. */
const LONGEST_WAIT_MS = 5000

/** Does `work$` at the moment (ms of the scheduler's clock) that `dueAt` names, and again at the one that it names after that, for ever; never two at a time. */
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
