import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import { KlineRow } from '../../src/domain/market-data/kline-series.ts'
import type { MarketDataEvent } from '../../src/domain/market-data/market-data.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { PricedMarket } from '../../src/engine/routing/market-data-router.ts'
import { shownData } from '../../src/engine/routing/shown-data.ts'
import type { StrategyFeed } from '../../src/engine/strategy/strategy-feed.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { closeOf } from './feed-data.ts'

export interface FeedPlayerOptions {
  readonly engine: Engine
  /** Place of the strategy that follows the feed, in the engine's list. */
  readonly strategyIndex: number
  readonly feed: StrategyFeed
  /** Data shown until then (ms UTC) is history. */
  readonly start: number
  /** Executes commands, at a market time, ms UTC. */
  readonly applyOutputs: (outputs: readonly EngineOutput[], time: number) => void
}

/** Plays one feed of one strategy: shows it new data of a time. */
export interface FeedPlayer {
  /** Time of the next event, ms UTC; infinite at the end. */
  readonly nextTime: number
  /** Shows it. */
  dispatch(): void
}

/** Shows the klines of a feed as they close; its orders trade on other klines. */
export class KlineFeedPlayer {
  /** When the next kline closes, ms UTC; infinite at the end. */
  nextTime: number
  readonly #options: FeedPlayerOptions
  readonly #klines: KlineColumns
  readonly #interval: Interval
  readonly #priced: PricedMarket
  #row = 0

  constructor(options: FeedPlayerOptions, klines: KlineColumns, interval: Interval) {
    this.#options = options
    this.#klines = klines
    this.#interval = interval
    this.#priced = options.engine.router.pricedMarket(options.feed.followed.symbol)
    this.nextTime = closeOf(klines, 0, interval)
    while (this.nextTime <= options.start) options.feed.update(this.#next())
  }

  /** True if its next kline closes at `time`, ms UTC. */
  closesAt(time: number): boolean {
    return this.nextTime === time
  }

  /** Values the instrument at the close of the kline that closes next. */
  mark(): void {
    const close = this.#klines.close[this.#row] as number // the row of the next event
    this.#options.engine.router.observeClose(this.#priced, close)
  }

  /** Shows the kline that closes next. */
  close(): void {
    const { engine, strategyIndex, feed, applyOutputs } = this.#options
    const time = this.nextTime
    applyOutputs(engine.router.dispatchFeed(strategyIndex, feed, this.#next()), time)
  }

  #next(): KlineRow {
    const kline = new KlineRow(this.#klines, this.#row++)
    this.nextTime = closeOf(this.#klines, this.#row, this.#interval)
    return kline
  }
}

/** Shows recorded data at their times. */
export class DataPlayer implements FeedPlayer {
  nextTime = Number.POSITIVE_INFINITY
  readonly #options: FeedPlayerOptions
  readonly #events: readonly MarketDataEvent[]
  #index = -1

  constructor(options: FeedPlayerOptions, events: readonly MarketDataEvent[]) {
    this.#options = options
    this.#events = events
    this.#next()
    while (this.nextTime <= options.start) {
      const { datum } = shownData(this.#event)
      options.feed.update(datum)
      this.#next()
    }
  }

  dispatch(): void {
    const { engine, strategyIndex, feed, applyOutputs } = this.#options
    const [time, { datum }] = [this.nextTime, shownData(this.#event)]
    this.#next()
    applyOutputs(engine.router.dispatchFeed(strategyIndex, feed, datum), time)
  }

  get #event(): MarketDataEvent {
    return this.#events[this.#index] as MarketDataEvent // there is a next time, hence an event
  }

  #next(): void {
    const event = this.#events[++this.#index]
    this.nextTime = event === undefined ? Number.POSITIVE_INFINITY : shownData(event).datum.time
  }
}
