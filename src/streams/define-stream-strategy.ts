import type { Observable } from 'rxjs'
import { UsageError } from '../domain/sluice-error.ts'
import { DECLARED_PARTS, requireKnownParts } from '../strategy/checks/strategy-definition-check.ts'
import { defineStrategy, type Strategy } from '../strategy/define-strategy.ts'
import type { Indicators, ShownIndicators } from '../strategy/feeds/feed-indicator.ts'
import type { DatumOf, Feeds, KlineFeed, KlineFeedName } from '../strategy/feeds/feeds.ts'
import type { Parameters, ParameterValues } from '../strategy/parameters.ts'
import type { Signals } from '../strategy/signals.ts'
import type { None } from '../strategy/strategy-definition.ts'
import type { FillView, OrderView } from '../strategy/strategy-view.ts'
import type { Timers } from '../strategy/timers.ts'
import type { ClosedKline } from './closed-kline.ts'
import { type AnyStreams, type StreamDeclarations, startStreams } from './start-streams.ts'
import type { StreamContext } from './stream-context.ts'

/** Item type of a feed's stream. */
export type Shown<F> = F extends KlineFeed ? ClosedKline : DatumOf<F>

/** Inputs of `signals`. */
export interface Streams<P extends Parameters, I, M extends string, F, T> {
  /**
   * Closed klines of the strategy's own instrument and interval, those of the warm-up first; no decision is
   * made on warm-up klines.
   */
  readonly klines$: Observable<ClosedKline>
  /** Fills of the strategy's orders. */
  readonly fills$: Observable<FillView>
  /** Other changes of its orders: accepted, rejected, canceled, … */
  readonly orders$: Observable<OrderView>
  /** Data of its feeds, by name. Before the first decision only klines are emitted. */
  readonly feeds: { readonly [Name in keyof F]: Observable<Shown<F[Name]>> }
  /** Due times (ms UTC) of its timers, by name. */
  readonly timers: { readonly [Name in keyof T]: Observable<number> }
  readonly parameters: ParameterValues<P>
  /** Updated before the kline that they follow is emitted. */
  readonly indicators: ShownIndicators<I>
  /** Position, orders, equity, market time; valid while an event is emitted. */
  readonly context: StreamContext<M>
}

/** Definition of a strategy of streams, with the same declarations as one of handlers. */
export interface StreamStrategyDefinition<P extends Parameters, I, M extends string, F, T>
  extends StreamDeclarations<P, I, M, F, T> {
  /**
   * `'klines'` declares that the memory of the streams follows from the klines of `klines$` and market time
   * alone, not from other events or from values of the context. Then the journal treats the strategy like one
   * of handlers: a restart creates the streams again and replays the klines. Not for strategies with kline
   * feeds, because the order among several streams is not stored. By default the memory may depend on
   * anything, and a restart replays the whole journal.
   */
  readonly remembers?: 'klines'
  /**
   * The strategy as one stream of signals, created once per run. Signals during one event are one decision,
   * in order; signals at any other time are refused.
   */
  signals(streams: Streams<P, I, M, F, T>): Observable<Signals<NoInfer<M>>>
}

const PARTS = [...DECLARED_PARTS, 'signals', 'remembers']

/**
 * Defines a strategy of streams: the same `Strategy` as from `defineStrategy`, run by the same engine, on
 * market time. An error in its streams stops it like an exception in a handler; after its signals complete,
 * it makes no more decisions.
 *
 * The memory of streams is not plain data, so a restart on a journal replays the whole journal, unless
 * `remembers` is `'klines'`. If the configuration changed in between, the streams start again there, and get
 * the earlier klines as a warm-up.
 */
export function defineStreamStrategy<
  const P extends Parameters = None,
  const M extends string = never,
  F extends Feeds<M> = None,
  T extends Timers = None,
  I extends Indicators<KlineFeedName<F>> = None,
>(definition: StreamStrategyDefinition<P, I, M, F, T>): Strategy<P> {
  requireStreamDefinition(definition)
  const { signals, remembers, ...declarations } = definition
  const strategy = defineStrategy<P, M, F, T, I>(declarations)
  // The streams of a run have the names and types of the definition.
  const make = (streams: AnyStreams) => signals(streams as unknown as Streams<P, I, M, F, T>)
  return {
    ...strategy,
    start: (given, view) =>
      startStreams(declarations, make, { given, view, feeds: strategy.feeds(given), remembers }),
  }
}

/** Throws `UsageError` for an unknown part, and if `signals` is missing. */
function requireStreamDefinition(definition: {
  readonly name: string
  readonly signals: unknown
  readonly remembers?: unknown
}): void {
  requireKnownParts(`Stream strategy "${definition.name}"`, definition, PARTS)
  const { name, remembers } = definition
  // Types do not guarantee it: a strategy file is not type-checked before it runs.
  if (remembers !== undefined && remembers !== 'klines')
    throw new UsageError(
      `The streams of strategy "${name}" remember ${JSON.stringify(remembers)}, but can only declare remembers: 'klines', or nothing.`,
    )
  if (typeof definition.signals === 'function') return
  throw new UsageError(
    `Stream strategy "${definition.name}" needs signals: ({ klines$ }) => klines$.pipe(…), a function that returns an Observable of signals.`,
  )
}
