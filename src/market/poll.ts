import {
  catchError,
  defer,
  exhaustMap,
  from,
  map,
  type Observable,
  of,
  type SchedulerLike,
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
