import { concatMap, defer, filter, from, merge, type Observable, type SchedulerLike, share } from 'rxjs'
import { openTimeOf } from '../../domain/market-data/interval.ts'
import type { Usage } from '../../exchange/budget/budgets.ts'
import type { MarketClient } from '../market-client.ts'
import type { MarketEvent } from '../market-event.ts'
import { type MarketSubscription, streamOf } from '../market-subscription.ts'
import { whenDue } from '../polls/poll.ts'
import { PollGate } from '../polls/poll-gate.ts'
import type { PlannedPoll, PollPlan, StartedPoll } from '../polls/poll-plan.ts'
import type { Reading } from '../polls/poll-reader.ts'
import { pollStream } from '../polls/poll-stream.ts'
import { readerOf } from '../readers/reader-of.ts'
import { inKlineOrder } from '../sequences/in-kline-order.ts'
import { LastPrices } from '../sequences/last-prices.ts'
import { Staleness } from '../sequences/staleness.ts'
import { concerns } from '../sequences/stream-of-event.ts'

export interface MarketStreamsOptions {
  readonly plan: PollPlan
  readonly client: MarketClient
  /** Its clock must be monotonic: polls keep their pace by it. */
  readonly scheduler: SchedulerLike
  /** Estimated exchange time, ms UTC, by which klines close; default: the scheduler's. */
  readonly serverNow?: (() => number) | undefined
  /** From 0 up to 1, for the pauses after failures. */
  readonly random: () => number
  /**
   * Weight of our IP address used now (`ExchangeClient.state`); without it, other callers of the address are
   * ignored.
   */
  readonly usage?: (() => Usage) | undefined
  /** A stream is stale when a datum is overdue by more than this, ms. */
  readonly staleAfterMs: number
  /** Longest wait of a kline for others that come before it, ms. */
  readonly mergeWaitMs: number
}

/** Streams of a poll plan. */
export interface MarketStreams {
  /**
   * All events, klines in their order. Polling starts with the first subscriber, is shared by all, and stops
   * without subscribers.
   */
  readonly events$: Observable<MarketEvent>
  /** Events of one subscription: its data, its failures, and its staleness. */
  of(subscription: MarketSubscription): Observable<MarketEvent>
}

/**
 * Runs the polls of a plan and merges their events into one stream, which never ends and never fails. Throws
 * `UsageError` for a poll of futures without a futures client.
 */
export function marketStreams(options: MarketStreamsOptions): MarketStreams {
  const { plan, scheduler, mergeWaitMs, serverNow = () => scheduler.now() } = options
  const now = serverNow()
  const polls = plan.polls.map(poll => started(poll, now))
  const klines = polls.flatMap(poll => (poll.type === 'klines' ? [poll.work] : []))
  const order = { waitMs: mergeWaitMs, scheduler }
  const events$ = inKlineOrder(readAndWatched(polls, { ...options, serverNow }), klines, order).pipe(share())
  return {
    events$,
    of: subscription => {
      const wanted = streamOf(subscription)
      return events$.pipe(filter(event => concerns(event, wanted)))
    },
  }
}

/** Without `after`, klines begin with the one that is forming. */
function started(poll: PlannedPoll, now: number): StartedPoll {
  if (poll.type === 'periodic') return poll
  const { interval, after = openTimeOf(openTimeOf(now, interval) - 1, interval) } = poll.work
  return { ...poll, work: { ...poll.work, after } }
}

/** Events of the polls, and reports of stale streams. */
function readAndWatched(
  polls: readonly StartedPoll[],
  {
    plan,
    client,
    scheduler,
    serverNow,
    random,
    usage,
    staleAfterMs,
  }: MarketStreamsOptions & { readonly serverNow: () => number },
): Observable<MarketEvent> {
  const now = scheduler.now()
  const gate = new PollGate({ available: plan.weight.available, usage, scheduler })
  const context = { client, lastPrices: new LastPrices(), scheduler, serverNow }
  const readers = polls.map(poll => ({ poll, reader: readerOf(poll, context) }))
  const watched = readers.flatMap(({ reader }) =>
    reader.streams.map(stream => ({ stream, dueAt: reader.dueAt(now) })),
  )
  const staleness = new Staleness(watched, staleAfterMs, now)
  const told = ({ alive, events }: Reading): readonly MarketEvent[] => [
    ...alive.flatMap(({ stream, dueAt }) => staleness.saw(stream, scheduler.now(), dueAt)),
    ...events,
  ]
  const readings$ = readers.map(reading =>
    pollStream({ ...reading, gate, scheduler, random }).pipe(concatMap(reading => from(told(reading)))),
  )
  const check$ = defer(() => from(staleness.check(scheduler.now())))
  const silent$ = whenDue(() => staleness.nextAt(scheduler.now()), check$, scheduler)
  return merge(...readings$, silent$)
}
