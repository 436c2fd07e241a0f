import { defer, EMPTY, exhaustMap, from, type Observable, type ObservableInput, of, repeat, tap } from 'rxjs'
import type { MarketEvent } from '../market-event.ts'
import { EventQueue } from '../sequences/event-queue.ts'

/**
 * Hands events one by one to somebody who takes time over each, such as a recorder: it sees the latest ticker and order
 * book, and every kline and trade. Up to `bound` of those wait; what is dropped beyond that is told as a `dropped` event.
 */
export function forSlowConsumer<Result>(
  events$: Observable<MarketEvent>,
  consume: (event: MarketEvent) => ObservableInput<Result>,
  bound: number,
): Observable<Result> {
  return defer(() => {
    const queue = new EventQueue(bound)
    const next$ = defer(() => {
      const event = queue.shift()
      return event === undefined ? EMPTY : from(consume(event))
    })
    const rest$ = next$.pipe(repeat({ delay: () => (queue.isEmpty ? EMPTY : of(true)) }))
    return events$.pipe(
      tap(event => queue.push(event)),
      exhaustMap(() => rest$),
    )
  })
}
