import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import type { Datum, Feed } from '../../src/strategy/feeds/feeds.ts'
import { oneByOne } from '../../src/strategy/feeds/one-by-one.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { FeedRun, StrategyRun } from '../../src/strategy/strategy-run.ts'

/** Takes the signals of a handler, by its name in a definition (`onKline`, `on.daily`), and returns those that count. */
export type PassedSignals = (handler: string, signals: Signals<string>) => Signals<string>

/** A run that acts as another one; all of its signals pass through a function. */
export class WrappedRun implements StrategyRun {
  readonly warmUp: number
  readonly feeds: readonly FeedRun[]
  readonly memoryVersion: number
  readonly onStart: StrategyRun['onStart']
  readonly onStop: StrategyRun['onStop']
  readonly onFill: StrategyRun['onFill']
  readonly onOrder: StrategyRun['onOrder']
  readonly #inner: StrategyRun
  readonly #passed: PassedSignals

  constructor(inner: StrategyRun, passed: PassedSignals, warmUp = inner.warmUp) {
    this.warmUp = warmUp
    this.memoryVersion = inner.memoryVersion
    this.#inner = inner
    this.#passed = passed
    this.feeds = inner.feeds.map(feed => new WrappedFeed(feed, passed))
    const { onStart, onStop, onFill, onOrder } = inner
    this.onStart = onStart && (() => passed('onStart', onStart()))
    this.onStop = onStop && (() => passed('onStop', onStop()))
    this.onFill = onFill && (fill => passed('onFill', onFill(fill)))
    this.onOrder = onOrder && (order => passed('onOrder', onOrder(order)))
  }

  get memory(): unknown {
    return this.#inner.memory
  }

  restoreMemory(memory: unknown, version: number): void {
    this.#inner.restoreMemory(memory, version)
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    this.#inner.announce(klines, from, to)
  }

  update(kline: Kline): void {
    this.#inner.update(kline)
  }

  onKline(kline: Kline): Signals<string> {
    return this.#passed('onKline', this.#inner.onKline(kline))
  }

  onKlines(cursor: KlineCursor, to: number): Signals<string> {
    return oneByOne(this, cursor, to)
  }

  onTimer(name: string, time: number): Signals<string> {
    return this.#passed(`on.${name}`, this.#inner.onTimer(name, time))
  }
}

class WrappedFeed implements FeedRun {
  readonly #inner: FeedRun
  readonly #passed: PassedSignals

  constructor(inner: FeedRun, passed: PassedSignals) {
    this.#inner = inner
    this.#passed = passed
  }

  get name(): string {
    return this.#inner.name
  }

  get feed(): Feed {
    return this.#inner.feed
  }

  get warmUp(): number {
    return this.#inner.warmUp
  }

  get latest(): Datum | undefined {
    return this.#inner.latest
  }

  set latest(latest: Datum | undefined) {
    this.#inner.latest = latest
  }

  update(datum: Datum): void {
    this.#inner.update(datum)
  }

  show(datum: Datum): Signals<string> {
    return this.#passed(`on.${this.name}`, this.#inner.show(datum))
  }
}
