import type { Kline } from '../domain/market-data/kline.ts'
import type { ShownIndicators } from './feeds/feed-indicator.ts'
import type { DatumOf } from './feeds/feeds.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { Signals } from './signals.ts'
import type { StateDefinition } from './strategy-state.ts'
import type { FillView, MarketView, OrderView, StrategyView } from './strategy-view.ts'

/** Nothing by any name. */
export type None = Record<never, never>

/** What a feed has shown. */
export interface FeedView<Shown> {
  /** `undefined` before the first. */
  readonly latest: Shown | undefined
}

/** What a handler is given beside its event. */
export interface Context<P extends Parameters, I, S, M extends string = never, F = None>
  extends StrategyView {
  readonly parameters: ParameterValues<P>
  readonly indicators: ShownIndicators<I>
  /** The strategy's own memory; made anew for every run, and kept by a journal. */
  readonly state: S
  /** The instruments of its roles. */
  readonly markets: Readonly<Record<M, MarketView>>
  /** What its feeds have shown. */
  readonly feeds: { readonly [Name in keyof F]: FeedView<DatumOf<F[Name]>> }
  /** Its latest klines, newest last: as many as `history` declares, fewer at the beginning. */
  readonly history: readonly Kline[]
}

/** What a strategy declares: the same for one of handlers and one of streams. */
export interface StrategyDeclarations<P extends Parameters, I, S, M extends string, F, T> {
  readonly name: string
  readonly description?: string
  readonly parameters?: P
  /** A sentence that says what is wrong with a combination of parameters. */
  check?(parameters: ParameterValues<P>): string | undefined
  /** Roles of further instruments that it sees or trades; who runs it says which instruments they are. Their klines of the strategy's interval are always followed. */
  readonly markets?: readonly M[]
  /** What it sees beside the klines of its own instrument and interval. Data that become known together are shown before its own kline: longer intervals first, then as declared here. */
  feeds?(parameters: ParameterValues<P>): F
  /** Times at which it is asked. One that is due comes with the first kline or datum at or after its time, after the strategy's own kline that closes then; of several that were passed over, the last. */
  readonly timers?: T
  /** Fed once per closed kline, before the handler; `of` lets one follow the klines of a feed. */
  indicators?(parameters: ParameterValues<P>): I
  /** What handlers remember. Plain data (numbers, texts, lists, records, Maps, Sets) survives a restart on a journal. */
  readonly state?: StateDefinition<P, S>
  /** Klines to see before the first decision; default: what the indicators and `history` need. */
  warmUp?(parameters: ParameterValues<P>): number
  /** How many of the latest klines the context shows; default: none. */
  readonly history?: number | ((parameters: ParameterValues<P>) => number)
}

/** No handler has this name. Were there no names at all, any handler would compile; a condition on them would be decided before feeds are known. */
declare const noName: unique symbol

/** Handlers by the names of feeds and timers; those of feeds are given the datum, those of timers the time (ms UTC) at which they were due. */
type NamedHandlers<P extends Parameters, I, S, M extends string, F, T> = {
  readonly [Name in keyof F | keyof T]?: (
    shown: Name extends keyof F ? DatumOf<F[Name]> : number,
    context: Context<P, I, S, M, F>,
  ) => Signals<M>
} & { readonly [noName]?: never }

/** What `defineStrategy` takes. Handlers return signals; they have no other effect. */
export interface StrategyDefinition<P extends Parameters, I, S, M extends string, F, T>
  extends StrategyDeclarations<P, I, S, M, F, T> {
  /** Trading begins: the bot was started, or a backtest has warmed up. Called again after every restart. */
  onStart?(context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** A kline closed. It never changes, so it may be kept; read its fields by name, for a spread may copy none of them. */
  onKline?(kline: Kline, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** Something was shown by the feed, or the timer came, of that name. */
  readonly on?: NamedHandlers<P, I, S, NoInfer<M>, NoInfer<F>, NoInfer<T>>
  /** One of the strategy's orders traded. */
  onFill?(fill: FillView, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** One of the strategy's orders changed otherwise: accepted, rejected, canceled, … */
  onOrder?(order: OrderView, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** Trading ends: the bot is about to leave in order, or the data of a backtest is over. What it signals is sent before anything is taken back. */
  onStop?(context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
}

/** A definition of any strategy, where its types do not matter. */
export interface AnyDefinition {
  readonly name: string
  readonly markets?: readonly string[]
  readonly timers?: unknown
  readonly on?: Readonly<Record<string, unknown>>
}
