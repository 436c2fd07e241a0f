import { defer, filter, map, merge, type Observable, type ObservedValueOf } from 'rxjs'
import type { ClosedKline } from '../closed-kline.ts'

/** Klines of several streams with the same close time, in the order of the streams. */
export type SameClose<Streams extends readonly Observable<ClosedKline>[]> = {
  readonly [Index in keyof Streams]: ObservedValueOf<Streams[Index]>
}

/**
 * Emits the klines of all streams that closed at the same time, once the last of them has arrived; klines
 * without a match in every stream are dropped. So streams of different intervals combine when the longest
 * closes, and instruments whose klines arrive one after the other are never compared across different times.
 * (`combineLatest` of rxjs emits a mix at each of them.)
 */
export function combineByClose<const Streams extends readonly Observable<ClosedKline>[]>(
  ...streams: Streams
): Observable<SameClose<Streams>> {
  return defer(() => {
    const queues = streams.map((): ClosedKline[] => [])
    const met$ = streams.map((klines$, index) =>
      klines$.pipe(
        map(kline => {
          queues[index]?.push(kline)
          return meet(queues)
        }),
      ),
    )
    // A match has one kline of each stream, in their order.
    return merge(...met$).pipe(filter(klines => klines !== undefined)) as Observable<SameClose<Streams>>
  })
}

/**
 * Removes and returns the first klines of all queues if they closed at the same time. Drops klines that can
 * no longer match: streams emit klines in order.
 */
function meet(queues: readonly ClosedKline[][]): readonly ClosedKline[] | undefined {
  for (;;) {
    const firsts = queues.map(([first]) => first)
    if (!firsts.every(first => first !== undefined)) return undefined
    const latest = Math.max(...firsts.map(({ closeTime }) => closeTime))
    const behind = queues.filter(([first]) => first !== undefined && first.closeTime < latest)
    for (const queue of behind.length === 0 ? queues : behind) queue.shift()
    if (behind.length === 0) return firsts
  }
}
