import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../domain/market-data/kline-series.ts'
import type { Datum, Feed } from './feeds/feeds.ts'
import type { Signals } from './signals.ts'
import type { StrategyError } from './strategy-error.ts'
import type { FillView, OrderView } from './strategy-view.ts'

/** One feed of a strategy at work. */
export interface FeedRun {
  readonly name: string
  readonly feed: Feed
  /** Klines to see before the first decision; 0 for what shows no klines. */
  readonly warmUp: number
  /** What was shown last; set before a run goes on after a restart. */
  latest: Datum | undefined
  /** Takes in what is shown, for `latest` and indicators. */
  update(datum: Datum): void
  /** Asks the strategy's handler of this feed, if it has one. */
  show(datum: Datum): Signals<string>
}

/** A strategy at work on its instruments. */
export interface StrategyRun {
  /** The strategy's own state, as `state` made it and handlers have changed it. */
  readonly memory: unknown
  /** Version of that state. */
  readonly memoryVersion: number
  /** Goes on with a state that was kept; throws `UsageError` for one that it cannot go on with. */
  restoreMemory(memory: unknown, version: number): void
  /** Klines it needs to see before its first decision. */
  readonly warmUp: number
  /** In the order of their declaration. */
  readonly feeds: readonly FeedRun[]
  /** Tells the indicators which klines come next: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void
  /** Feeds the indicators. */
  update(kline: Kline): void
  onKline(kline: Kline): Signals<string>
  /** `update` and `onKline` for each row before `to`, up to the first that is answered with signals. */
  onKlines(cursor: KlineCursor, to: number): Signals<string>
  onFill: ((fill: FillView) => Signals<string>) | undefined
  onOrder: ((order: OrderView) => Signals<string>) | undefined
  /** A timer was due at a time, ms UTC. */
  onTimer(name: string, time: number): Signals<string>
  onStart: (() => Signals<string>) | undefined
  onStop: (() => Signals<string>) | undefined
  /** Lets go of what it holds beside its memory: nothing is shown to it any more. */
  dispose?(): void
  /** Calls `onFailure` once, should the strategy fail after a handler has returned: in a promise that it left behind. */
  watch?(onFailure: (error: StrategyError) => void): void
}
