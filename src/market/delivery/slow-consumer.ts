import { defer, EMPTY, exhaustMap, from, type Observable, type ObservableInput, of, repeat, tap } from 'rxjs'
import type { MarketEvent } from '../market-event.ts'
import { EventQueue } from '../sequences/event-queue.ts'

/**
 * Passes events one by one to a slow consumer, such as a recorder: it gets the latest ticker and order book,
 * and every kline and trade. Up to `bound` of those wait; beyond that they are dropped, and a `dropped` event
 * reports it.
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
