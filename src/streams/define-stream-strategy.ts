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

/** What a stream of a feed shows. */
export type Shown<F> = F extends KlineFeed ? ClosedKline : DatumOf<F>

/** What `signals` makes its stream of. */
export interface Streams<P extends Parameters, I, M extends string, F, T> {
  /** Closed klines of the strategy's own instrument and interval. Those of the warm-up come first; nothing is decided on them. */
  readonly klines$: Observable<ClosedKline>
  /** Fills of the strategy's orders. */
  readonly fills$: Observable<FillView>
  /** Its orders as they change otherwise: accepted, rejected, canceled, … */
  readonly orders$: Observable<OrderView>
  /** What its feeds show, by name. Of the time before the first decision only klines are shown. */
  readonly feeds: { readonly [Name in keyof F]: Observable<Shown<F[Name]>> }
  /** The times (ms UTC) at which its timers were due, by name. */
  readonly timers: { readonly [Name in keyof T]: Observable<number> }
  readonly parameters: ParameterValues<P>
  /** Fed before the kline that they follow is shown. */
  readonly indicators: ShownIndicators<I>
  /** Position, orders, equity, market time; read it while something is shown. */
  readonly context: StreamContext<M>
}

/** What `defineStreamStrategy` takes: it declares what one of handlers declares. */
export interface StreamStrategyDefinition<P extends Parameters, I, M extends string, F, T>
  extends StreamDeclarations<P, I, M, F, T> {
  /**
   * `'klines'`: what the streams remember follows from the klines of `klines$` (and market time) alone, and from nothing else
   * that they were shown, nor from what the context told at the time. Then a journal keeps their strategy as it keeps one of
   * handlers: a restart begins the streams afresh and shows them the klines again. Not for strategies with feeds of klines, for
   * nobody keeps the order among several. Default: they remember more, and a restart runs the whole journal again.
   */
  readonly remembers?: 'klines'
  /**
   * The strategy as one stream of signals, made once per run. What it signals while an event is shown is one decision, in
   * order; what it signals at any other time is refused.
   */
  signals(streams: Streams<P, I, M, F, T>): Observable<Signals<NoInfer<M>>>
}

const PARTS = [...DECLARED_PARTS, 'signals', 'remembers']

/**
 * Makes a strategy of streams: the same `Strategy` as `defineStrategy` makes, run by the same engine, on market time. An
 * error in its streams stops it as a handler that throws does; when its signals complete, it decides nothing more.
 *
 * What streams remember is no plain data, so that a restart on a journal runs the whole journal again, unless they say that
 * they remember klines only. Where the configuration was changed before, they begin afresh there, and see the klines from
 * before that as they see those of a warm-up.
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
  // The streams of a run have the names and the types that the definition gives them.
  const make = (streams: AnyStreams) => signals(streams as unknown as Streams<P, I, M, F, T>)
  return {
    ...strategy,
    start: (given, view) =>
      startStreams(declarations, make, { given, view, feeds: strategy.feeds(given), remembers }),
  }
}

/** Throws `UsageError` for a part that nobody reads, and where `signals` is missing. */
function requireStreamDefinition(definition: {
  readonly name: string
  readonly signals: unknown
  readonly remembers?: unknown
}): void {
  requireKnownParts(`Stream strategy "${definition.name}"`, definition, PARTS)
  const { name, remembers } = definition
  // Types cannot promise it, as everywhere here: a strategy file is not checked before it runs.
  if (remembers !== undefined && remembers !== 'klines')
    throw new UsageError(
      `The streams of strategy "${name}" remember ${JSON.stringify(remembers)}, but can only declare remembers: 'klines', or nothing.`,
    )
  if (typeof definition.signals === 'function') return
  throw new UsageError(
    `Stream strategy "${definition.name}" needs signals: ({ klines$ }) => klines$.pipe(…), a function that returns an Observable of signals.`,
  )
}
