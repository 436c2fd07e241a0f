import type { HistorySeen, KlineClosed } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../../domain/market-data/kline-series.ts'
import type { MarketDataEvent } from '../../domain/market-data/market-data.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import type { EngineRisk } from '../risk/engine-risk.ts'
import type { StrategyFeed } from '../strategy/strategy-feed.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'
import type { BookOwners } from './book-owners.ts'
import { disableFailed } from './disable-failed.ts'
import { shownData } from './shown-data.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

/** Outputs of consecutive closed klines; commands only from the last. Valid until the next are closed. */
export interface ClosedKlines {
  readonly outputs: readonly EngineOutput[]
  /** The row after the last that was closed. */
  readonly next: number
}

export interface MarketDataRouterOptions {
  readonly ledger: Ledger
  readonly risk: EngineRisk
  readonly runners: readonly StrategyRunner[]
  readonly owners: BookOwners
  readonly subscriptions: Subscriptions
}

const NOTHING: readonly EngineOutput[] = []
/** Shared empty list; never modified. */
const NO_OUTPUTS: EngineOutput[] = []

/**
 * Shows strategies the market: closed klines, and data of their feeds. A bot shows each event to all its
 * followers (`dispatchKline`, `dispatchData`); a replay shows each book its next data, which is the same if
 * it is the only follower.
 */
export class MarketDataRouter {
  readonly #ledger: Ledger
  readonly #risk: EngineRisk
  readonly #runners: readonly StrategyRunner[]
  readonly #owners: BookOwners
  readonly #subscriptions: Subscriptions
  /** True if there is one strategy with one instrument and no feeds. */
  readonly #isAlone: boolean
  /** Outputs of the latest stretch: one list, because each new one would grow anew. */
  readonly #outputs: EngineOutput[] = []

  constructor({ ledger, risk, runners, owners, subscriptions }: MarketDataRouterOptions) {
    this.#ledger = ledger
    this.#risk = risk
    this.#runners = runners
    this.#owners = owners
    this.#subscriptions = subscriptions
    this.#isAlone = owners.all.length === 1 && runners.every(runner => runner.feeds.length === 0)
  }

  /** All strategies see the same kline, and each decision counts for the next: they may share money. */
  dispatchKline({ symbol, interval, kline }: KlineClosed): readonly EngineOutput[] {
    const subscriptions = this.#subscriptions.ofKlines(symbol, interval)
    const [first] = subscriptions
    if (subscriptions.length === 1 && first !== undefined) return this.#closeFor(first, kline)
    return subscriptions.flatMap(subscription => this.#closeFor(subscription, kline))
  }

  /** Shows followers a kline that they do not decide on. */
  dispatchHistory({ symbol, interval, kline }: HistorySeen): void {
    this.#mark(symbol, kline)
    for (const { runner, feed } of this.#subscriptions.ofKlines(symbol, interval)) {
      if (feed === undefined) runner.seeHistory(kline)
      else feed.update(kline)
    }
  }

  /** Shows followers a datum other than a kline. */
  dispatchData(event: MarketDataEvent): readonly EngineOutput[] {
    const { type, datum } = shownData(event)
    const out: EngineOutput[] = []
    for (const { runner, feed } of this.#subscriptions.ofData(type, event.symbol)) {
      if (feed !== undefined) this.#show(runner, feed, datum, datum.time, out)
    }
    return out
  }

  /**
   * Announces the next klines of a book (rows `from` to `to - 1`) to its strategy's indicators, to compute
   * them in one batch. Only for speed; no output depends on it.
   */
  announce(book: string, klines: KlineSeries, from: number, to: number): void {
    const { runner, market } = this.#owners.of(book)
    if (market.role === undefined) runner.announce(klines, from, to)
  }

  /**
   * Closes the klines of the rows `from` to `to - 1` for one book, up to the first that leads to a command. A
   * replay without resting orders in this market passes quiet stretches in this one loop.
   */
  closeKlines(book: string, klines: KlineSeries, from: number, to: number): ClosedKlines {
    const { runner } = this.#owners.of(book)
    const cursor: KlineCursor = { klines, next: from }
    while (cursor.next < to) {
      if (this.#isAlone && !this.#isWatched && runner.isDeciding)
        return this.#closeDecided(runner, cursor, to)
      const outputs = this.#close(runner, new KlineRow(klines, cursor.next++))
      if (outputs.length > 0) return { next: cursor.next, outputs }
    }
    return { next: to, outputs: NOTHING }
  }

  /** Closes one kline for one book: that of a strategy's own market, or of one of its roles. */
  closeKline(book: string, kline: Kline): readonly EngineOutput[] {
    const { runner, market } = this.#owners.of(book)
    const feeds = runner.feedsOf(market)
    if (feeds.length === 0) return this.#close(runner, kline)
    const before = feeds.flatMap(feed => this.#closeFeed(runner, feed, kline))
    return market.role === undefined ? [...before, ...this.#close(runner, kline)] : before
  }

  /** Dispatches one datum of one feed to the `index`-th strategy. */
  dispatchFeed(index: number, feed: StrategyFeed, datum: Datum): readonly EngineOutput[] {
    const runner = this.#runners[index]
    if (runner === undefined) return NOTHING
    if ('openTime' in datum) return this.#closeFeed(runner, feed, datum)
    const out: EngineOutput[] = []
    this.#show(runner, feed, datum, datum.time, out)
    return out
  }

  #closeDecided(runner: StrategyRunner, cursor: KlineCursor, to: number): ClosedKlines {
    const outputs = this.#outputs
    while (outputs.length > 0) outputs.pop()
    try {
      runner.closeKlines(cursor, to, outputs)
    } catch (error) {
      disableFailed(runner, error, outputs)
    }
    return { next: cursor.next, outputs }
  }

  #closeFor({ runner, feed }: Subscription, kline: Kline): readonly EngineOutput[] {
    return feed === undefined ? this.#close(runner, kline) : this.#closeFeed(runner, feed, kline)
  }

  #close(runner: StrategyRunner, kline: Kline): readonly EngineOutput[] {
    this.#mark(runner.symbol, kline)
    const before: EngineOutput[] = this.#isWatched ? [] : NO_OUTPUTS
    if (this.#isWatched)
      this.#watch(runner.symbol, closeTimeOf(kline.openTime, runner.interval), kline, before)
    try {
      const outputs = runner.closeKline(kline) ?? NOTHING
      return before.length === 0 ? outputs : [...before, ...outputs]
    } catch (error) {
      const out: EngineOutput[] = [...before]
      disableFailed(runner, error, out)
      return out
    }
  }

  #closeFeed(runner: StrategyRunner, feed: StrategyFeed, kline: Kline): readonly EngineOutput[] {
    const { symbol, feed: of } = feed.followed
    if (of.type !== 'klines') return NOTHING
    this.#mark(symbol, kline)
    const time = closeTimeOf(kline.openTime, of.interval)
    const out: EngineOutput[] = []
    if (this.#isWatched) this.#watch(symbol, time, kline, out)
    this.#show(runner, feed, kline, time, out)
    return out
  }

  #show(runner: StrategyRunner, feed: StrategyFeed, datum: Datum, time: number, out: EngineOutput[]): void {
    this.#risk.end(time, out)
    try {
      runner.dispatchFeed(feed, datum, time, out)
    } catch (error) {
      disableFailed(runner, error, out)
    }
  }

  /** True if a kline can change the trading mode. */
  get #isWatched(): boolean {
    return this.#risk.isWatching || this.#risk.nextEnd !== Number.POSITIVE_INFINITY
  }

  /** Updates the trading mode at a kline's close, before any decision on it. */
  #watch(symbol: string, time: number, kline: Kline, out: EngineOutput[]): void {
    this.#risk.end(time, out)
    if (!this.#risk.isWatching) return
    this.#ledger.observeClose(symbol, kline.close)
    this.#risk.mark(symbol, time, out)
  }

  /**
   * Marks the instrument for the other strategies of the account; a lone strategy marks its own on demand.
   */
  #mark(symbol: string, kline: Kline): void {
    if (!this.#isAlone) this.#ledger.observeClose(symbol, kline.close)
  }
}
