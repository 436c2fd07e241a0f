import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { Datum, Feed } from '../../src/strategy/feeds/feeds.ts'
import { oneByOne } from '../../src/strategy/feeds/one-by-one.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { FeedRun, StrategyRun } from '../../src/strategy/strategy-run.ts'
import type { FillView, OrderView, StrategyView } from '../../src/strategy/strategy-view.ts'

/** One input or output of a strategy. */
export interface RecordEntry {
  readonly what: 'signal' | 'fill' | 'order'
  /** As a definition names it: `onKline`, `on.daily`. */
  readonly handler: string
  /** Which of several markets it belongs to. */
  readonly market?: string | undefined
  /**
   * Row of its kline: the one shown to `onKline`, the traded one for the others. With several markets it
   * counts the moments at which klines closed before.
   */
  readonly row: number
  /** Market time, ms UTC. */
  readonly time: number
  /** As JSON, taken at once, because a strategy may change a returned object later. */
  readonly text: string
}

/** A strategy that acts as another, with a record of its inputs and outputs. */
export interface RecordedStrategy {
  readonly strategy: Strategy
  readonly entries: readonly RecordEntry[]
  /** Number of klines shown to the strategy. */
  readonly klinesSeen: () => number
}

export interface RecordOptions {
  /** Replaces the klines it is shown before its first decision. */
  readonly warmUp?: number | undefined
  /** The record of all, where there are several. */
  readonly shared?: SharedRecord | undefined
}

/** Shared parts of the records of several strategies. */
export interface SharedRecord {
  readonly entries: RecordEntry[]
  /** Present row. */
  readonly row: () => number
  readonly market: string
}

/** Wraps a strategy for one run on one instrument. */
export function recordedStrategy(
  strategy: Strategy,
  { warmUp, shared }: RecordOptions = {},
): RecordedStrategy {
  const entries = shared?.entries ?? []
  let run: RecordedRun | undefined
  return {
    entries,
    klinesSeen: () => run?.klinesSeen ?? 0,
    strategy: {
      ...strategy,
      start(given, view) {
        run = new RecordedRun(strategy.start(given, view), view, entries, { warmUp, shared })
        return run
      },
    },
  }
}

class RecordedFeed implements FeedRun {
  readonly #inner: FeedRun
  readonly #noted: Noted

  constructor(inner: FeedRun, noted: Noted) {
    this.#inner = inner
    this.#noted = noted
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
    return this.#noted(`on.${this.name}`, this.#inner.show(datum))
  }
}

/** Records the signals of a handler, and returns them. */
type Noted = (handler: string, signals: Signals<string>) => Signals<string>

class RecordedRun implements StrategyRun {
  readonly warmUp: number
  readonly feeds: readonly FeedRun[]
  readonly memoryVersion: number
  readonly onStart: StrategyRun['onStart']
  readonly onStop: StrategyRun['onStop']
  klinesSeen = 0
  readonly #inner: StrategyRun
  readonly #view: StrategyView
  readonly #entries: RecordEntry[]
  readonly #shared: SharedRecord | undefined

  constructor(
    inner: StrategyRun,
    view: StrategyView,
    entries: RecordEntry[],
    { warmUp = inner.warmUp, shared }: RecordOptions,
  ) {
    this.warmUp = warmUp
    this.memoryVersion = inner.memoryVersion
    this.#shared = shared
    this.#inner = inner
    this.#view = view
    this.#entries = entries
    const { onStart, onStop } = inner
    this.feeds = inner.feeds.map(
      feed => new RecordedFeed(feed, (handler, signals) => this.#noted(handler, signals)),
    )
    this.onStart = onStart && (() => this.#noted('onStart', onStart()))
    this.onStop = onStop && (() => this.#noted('onStop', onStop()))
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
    this.klinesSeen++
  }

  onKline(kline: Kline): Signals<string> {
    return this.#noted('onKline', this.#inner.onKline(kline))
  }

  onKlines(cursor: KlineCursor, to: number): Signals<string> {
    return oneByOne(this, cursor, to)
  }

  onTimer(name: string, time: number): Signals<string> {
    return this.#noted(`on.${name}`, this.#inner.onTimer(name, time))
  }

  /** Always present, because orders and fills are recorded even without such a handler. */
  readonly onFill = (fill: FillView): Signals<string> => {
    this.#note('fill', 'onFill', fill)
    return this.#noted('onFill', this.#inner.onFill?.(fill))
  }

  readonly onOrder = (order: OrderView): Signals<string> => {
    this.#note('order', 'onOrder', order)
    return this.#noted('onOrder', this.#inner.onOrder?.(order))
  }

  #noted(handler: string, signals: Signals<string>): Signals<string> {
    if (signals !== undefined) this.#note('signal', handler, signals)
    return signals
  }

  #note(what: RecordEntry['what'], handler: string, value: unknown): void {
    const own = handler === 'onKline' || handler.startsWith('on.') ? this.klinesSeen - 1 : this.klinesSeen
    const row = this.#shared?.row() ?? own
    const market = this.#shared?.market
    this.#entries.push({ what, handler, market, row, time: this.#view.time, text: JSON.stringify(value) })
  }
}
