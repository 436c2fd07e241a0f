import type { Kline } from '../domain/market-data/kline.ts'
import type { ShownIndicators } from './feeds/feed-indicator.ts'
import type { DatumOf } from './feeds/feeds.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { Signals } from './signals.ts'
import type { StateDefinition } from './strategy-state.ts'
import type { FillView, MarketView, OrderView, StrategyView } from './strategy-view.ts'

/** Record without keys. */
export type None = Record<never, never>

/** Data of a feed so far. */
export interface FeedView<Shown> {
  /** Latest datum; `undefined` before the first. */
  readonly latest: Shown | undefined
}

/** Context of a handler, besides its event. */
export interface Context<P extends Parameters, I, S, M extends string = never, F = None>
  extends StrategyView {
  readonly parameters: ParameterValues<P>
  readonly indicators: ShownIndicators<I>
  /** The strategy's own memory; created for every run, and saved in a journal. */
  readonly state: S
  /** Instruments of its roles. */
  readonly markets: Readonly<Record<M, MarketView>>
  /** Latest data of its feeds. */
  readonly feeds: { readonly [Name in keyof F]: FeedView<DatumOf<F[Name]>> }
  /** Its latest klines, newest last: the number that `history` declares, or fewer where `warmUp` is less than that. */
  readonly history: readonly Kline[]
}

/** Declarations of a strategy, the same for handlers and streams. */
export interface StrategyDeclarations<P extends Parameters, I, S, M extends string, F, T> {
  readonly name: string
  readonly description?: string
  readonly parameters?: P
  /** Problem of a combination of parameters, a sentence. */
  check?(parameters: ParameterValues<P>): string | undefined
  /**
   * Roles of other instruments that it reads or trades; the configuration assigns the instruments. Their
   * klines of the strategy's interval are always read.
   */
  readonly markets?: readonly M[]
  /**
   * Data besides the klines of its own instrument and interval. Data with the same time come before its own
   * kline: longer intervals first, then in order of declaration.
   */
  feeds?(parameters: ParameterValues<P>): F
  /**
   * Timers by name. A due timer fires with the first kline or datum at or after its time, after the
   * strategy's own kline that closes then; of several missed times, only the last fires.
   */
  readonly timers?: T
  /** Updated once per closed kline, before the handler; `of` binds one to the klines of a feed. */
  indicators?(parameters: ParameterValues<P>): I
  /**
   * Memory of handlers. Plain data (numbers, texts, lists, records, Maps, Sets) survives a restart on a
   * journal.
   */
  readonly state?: StateDefinition<P, S>
  /** Klines before the first decision; default: the need of the indicators and of `history`. */
  warmUp?(parameters: ParameterValues<P>): number
  /** Number of latest klines in the context; default: none. */
  readonly history?: number | ((parameters: ParameterValues<P>) => number)
}

/**
 * Key that no handler has. Without any key every handler would compile, and a conditional type would be
 * resolved before the feeds are known.
 */
declare const noName: unique symbol

/**
 * Handlers by the names of feeds and timers; a feed's handler gets the datum, a timer's handler the due time
 * (ms UTC).
 */
type NamedHandlers<P extends Parameters, I, S, M extends string, F, T> = {
  readonly [Name in keyof F | keyof T]?: (
    shown: Name extends keyof F ? DatumOf<F[Name]> : number,
    context: Context<P, I, S, M, F>,
  ) => Signals<M>
} & { readonly [noName]?: never }

/** Definition for `defineStrategy`. Handlers return signals; they have no other effect. */
export interface StrategyDefinition<P extends Parameters, I, S, M extends string, F, T>
  extends StrategyDeclarations<P, I, S, M, F, T> {
  /**
   * Trading begins: after the start of the bot, or after the warm-up of a backtest. Called again after every
   * restart.
   */
  onStart?(context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /**
   * A kline closed. It is immutable, so it may be kept; read its fields by name, because a spread may copy
   * none of them.
   */
  onKline?(kline: Kline, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** Handlers for data of a feed, or for a timer, by name. */
  readonly on?: NamedHandlers<P, I, S, NoInfer<M>, NoInfer<F>, NoInfer<T>>
  /** One of the strategy's orders traded. */
  onFill?(fill: FillView, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /** Any other change of one of the strategy's orders: accepted, rejected, canceled, … */
  onOrder?(order: OrderView, context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
  /**
   * Trading ends: the bot is about to shut down in order, or the data of a backtest have ended. Its signals
   * are sent before orders are canceled.
   */
  onStop?(context: Context<P, I, S, M, F>): Signals<NoInfer<M>>
}

/** A definition of any strategy, without its types. */
export interface AnyDefinition {
  readonly name: string
  readonly markets?: readonly string[]
  readonly timers?: unknown
  readonly on?: Readonly<Record<string, unknown>>
}
