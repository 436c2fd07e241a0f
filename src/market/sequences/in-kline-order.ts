import { concatMap, from, map, merge, mergeMap, type Observable, of, type SchedulerLike, timer } from 'rxjs'
import { KlineMerge } from '../../domain/market-data/kline-merge.ts'
import type { KlineCompleted, MarketEvent } from '../market-event.ts'
import { streamOf } from '../market-subscription.ts'
import type { KlineWork, StartedKlines } from '../polls/poll-plan.ts'

/** Longest wait of a kline for those that come before it, and the clock of the wait. */
export interface KlineOrderOptions {
  readonly waitMs: number
  readonly scheduler: SchedulerLike
}

/**
 * The events as they come, but klines in the order in which a backtest shows them (`compareKlineCloses`),
 * with streams ranked as listed. After `waitMs` a kline no longer waits, and the missing one is emitted late.
 * One that waits is announced, for its close counts already.
 */
export function inKlineOrder(
  events$: Observable<MarketEvent>,
  streams: readonly StartedKlines[],
  { waitMs, scheduler }: KlineOrderOptions,
): Observable<MarketEvent> {
  const line = new KlineLine(streams, waitMs)
  const withDeadline = (event: MarketEvent): Observable<MarketEvent | undefined> => {
    const deadline$ = timer(waitMs, scheduler).pipe(map(() => undefined))
    return event.type === 'kline' ? merge(of(event), deadline$) : of(event)
  }
  return events$.pipe(
    mergeMap(withDeadline),
    concatMap(event => from(line.take(event, scheduler.now()))),
  )
}

/** Klines that wait for their turn. */
class KlineLine {
  readonly #streams: readonly StartedKlines[]
  readonly #ranks: ReadonlyMap<string, number>
  readonly #merge: KlineMerge

  constructor(streams: readonly StartedKlines[], waitMs: number) {
    this.#streams = streams
    this.#ranks = new Map(streams.map((stream, rank) => [streamOf(stream), rank]))
    this.#merge = new KlineMerge(streams, { waitMs })
  }

  /** Takes an event, or the end of a wait, and returns the events that are due. */
  take(event: MarketEvent | undefined, now: number): readonly MarketEvent[] {
    if (event === undefined) return this.#told(now)
    if (event.type !== 'kline') return [event]
    this.#merge.offer(this.#rankOf(event), event.kline, now)
    const due = this.#told(now)
    return due.some(({ kline }) => kline === event.kline) ? due : [{ ...event, type: 'klineWaiting' }, ...due]
  }

  #told(now: number): readonly KlineCompleted[] {
    return this.#merge.take(now).flatMap(({ rank, kline }): KlineCompleted[] => {
      const stream = this.#streams[rank]
      if (stream === undefined) return []
      const { market, symbol, interval } = stream
      return [{ type: 'kline', market, symbol, interval, kline }]
    })
  }

  #rankOf({ market, symbol, interval }: Pick<KlineWork, 'market' | 'symbol' | 'interval'>): number {
    return this.#ranks.get(streamOf({ type: 'klines', market, symbol, interval })) ?? -1
  }
}
