import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../domain/market-data/kline-series.ts'
import type { Datum, Feed } from './feeds/feeds.ts'
import type { Signals } from './signals.ts'
import type { StrategyError } from './strategy-error.ts'
import type { FillView, OrderView } from './strategy-view.ts'

/** One feed of a running strategy. */
export interface FeedRun {
  readonly name: string
  readonly feed: Feed
  /** Klines needed before the first decision; 0 for a feed without klines. */
  readonly warmUp: number
  /** Latest datum; set before a run continues after a restart. */
  latest: Datum | undefined
  /** Updates `latest` and the indicators. */
  update(datum: Datum): void
  /** Calls the strategy's handler of this feed, if it has one. */
  show(datum: Datum): Signals<string>
}

/** A running strategy on its instruments. */
export interface StrategyRun {
  /** The strategy's own state, created by `state` and changed by handlers. */
  readonly memory: unknown
  /** Version of that state. */
  readonly memoryVersion: number
  /** Restores a saved state; throws `UsageError` if the strategy cannot use it. */
  restoreMemory(memory: unknown, version: number): void
  /** Klines needed before the first decision. */
  readonly warmUp: number
  /** In the order of their declaration. */
  readonly feeds: readonly FeedRun[]
  /** Announces the next klines to the indicators: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void
  /** Present values of its indicators, by name; absent for a strategy without named indicators. */
  indicatorValues?(): Readonly<Record<string, unknown>>
  /** Updates the indicators. */
  update(kline: Kline): void
  onKline(kline: Kline): Signals<string>
  /** Calls `update` and `onKline` for each row before `to`, up to the first with signals. */
  onKlines(cursor: KlineCursor, to: number): Signals<string>
  onFill: ((fill: FillView) => Signals<string>) | undefined
  onOrder: ((order: OrderView) => Signals<string>) | undefined
  /** Calls a timer's handler with its due time, ms UTC. */
  onTimer(name: string, time: number): Signals<string>
  onStart: (() => Signals<string>) | undefined
  onStop: (() => Signals<string>) | undefined
  /** Releases resources besides its memory; no more events follow. */
  dispose?(): void
  /**
   * Calls `onFailure` once if the strategy fails after a handler has returned: in a promise that it left
   * behind.
   */
  watch?(onFailure: (error: StrategyError) => void): void
}
