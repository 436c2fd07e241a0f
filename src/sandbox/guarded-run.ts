import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../domain/market-data/kline-series.ts'
import type { Datum, Feed } from '../strategy/feeds/feeds.ts'
import type { Signals } from '../strategy/signals.ts'
import type { StrategyError } from '../strategy/strategy-error.ts'
import type { FeedRun, StrategyRun } from '../strategy/strategy-run.ts'
import type { StrategyScope } from './strategy-scope.ts'

/** A run whose code is always called within its own scope. */
export class GuardedRun implements StrategyRun {
  readonly warmUp: number
  readonly memoryVersion: number
  readonly feeds: readonly FeedRun[]
  readonly onFill: StrategyRun['onFill']
  readonly onOrder: StrategyRun['onOrder']
  readonly onStart: StrategyRun['onStart']
  readonly onStop: StrategyRun['onStop']
  readonly #run: StrategyRun
  readonly #scope: StrategyScope

  constructor(run: StrategyRun, scope: StrategyScope) {
    this.#run = run
    this.#scope = scope
    this.warmUp = run.warmUp
    this.memoryVersion = run.memoryVersion
    this.feeds = run.feeds.map(feed => new GuardedFeed(feed, scope))
    this.onFill = run.onFill && (fill => scope.call(() => run.onFill?.(fill)))
    this.onOrder = run.onOrder && (order => scope.call(() => run.onOrder?.(order)))
    this.onStart = run.onStart && (() => scope.call(() => run.onStart?.()))
    this.onStop = run.onStop && (() => scope.call(() => run.onStop?.()))
  }

  get memory(): unknown {
    return this.#run.memory
  }

  restoreMemory(memory: unknown, version: number): void {
    this.#scope.call(() => this.#run.restoreMemory(memory, version))
  }

  indicatorValues(): Readonly<Record<string, unknown>> {
    return this.#scope.call(() => this.#run.indicatorValues?.() ?? {})
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    this.#scope.call(() => this.#run.announce(klines, from, to))
  }

  update(kline: Kline): void {
    this.#scope.call(() => this.#run.update(kline))
  }

  onKline(kline: Kline): Signals<string> {
    return this.#scope.call(() => this.#run.onKline(kline))
  }

  onKlines(cursor: KlineCursor, to: number): Signals<string> {
    return this.#scope.call(() => this.#run.onKlines(cursor, to))
  }

  onTimer(name: string, time: number): Signals<string> {
    return this.#scope.call(() => this.#run.onTimer(name, time))
  }

  dispose(): void {
    this.#scope.call(() => this.#run.dispose?.())
  }

  watch(onFailure: (error: StrategyError) => void): void {
    this.#scope.watch(onFailure)
  }
}

/** A feed whose indicators and handler are called within the scope of their run. */
class GuardedFeed implements FeedRun {
  readonly #feed: FeedRun
  readonly #scope: StrategyScope

  constructor(feed: FeedRun, scope: StrategyScope) {
    this.#feed = feed
    this.#scope = scope
  }

  get name(): string {
    return this.#feed.name
  }

  get feed(): Feed {
    return this.#feed.feed
  }

  get warmUp(): number {
    return this.#feed.warmUp
  }

  get latest(): Datum | undefined {
    return this.#feed.latest
  }

  set latest(latest: Datum | undefined) {
    this.#feed.latest = latest
  }

  update(datum: Datum): void {
    this.#scope.call(() => this.#feed.update(datum))
  }

  show(datum: Datum): Signals<string> {
    return this.#scope.call(() => this.#feed.show(datum))
  }
}
