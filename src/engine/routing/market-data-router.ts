import type { HistorySeen, KlineClosed } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../../domain/market-data/kline-series.ts'
import type { MarketDataEvent } from '../../domain/market-data/market-data.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LedgerMarket } from '../../ledger/market-prices.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import type { EngineRisk } from '../risk/engine-risk.ts'
import type { EngineMarketView } from '../strategy/engine-market-view.ts'
import type { StrategyFeed } from '../strategy/strategy-feed.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'
import type { BookOwner, BookOwners } from './book-owners.ts'
import { disableFailed } from './disable-failed.ts'
import { shownData } from './shown-data.ts'
import type { Subscription, Subscriptions } from './subscriptions.ts'

/** A book with what its klines are shown to, looked up once. */
export interface BookRoute {
  readonly owner: BookOwner
  /** Feeds of its market, of the strategy's interval. */
  readonly feeds: readonly StrategyFeed[]
}

/** An instrument with everything that counts at its latest close, looked up once. */
export interface PricedMarket {
  readonly prices: LedgerMarket
  /** As each strategy sees it that trades it. */
  readonly views: readonly EngineMarketView[]
}

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

  /** The route of a book's klines; throws `InvariantError` for one that no strategy trades in. */
  routeOf(book: string): BookRoute {
    const owner = this.#owners.of(book)
    return { owner, feeds: owner.runner.feedsOf(owner.market) }
  }

  /** An instrument with those that trade it; throws `InvariantError` for a symbol that is not traded. */
  pricedMarket(symbol: string): PricedMarket {
    const views = this.#owners.meant({ symbol }).map(({ market }) => market.view)
    return { prices: this.#ledger.marketOf(symbol), views }
  }

  /**
   * Values an instrument at a close (quote per base) before any strategy is shown the klines of that moment: in the ledger, and
   * in what strategies see as its price and are sized by.
   */
  observeClose({ prices, views }: PricedMarket, close: number): void {
    this.#ledger.observeCloseOf(prices, close)
    for (const view of views) view.price = close
  }

  /**
   * Announces the next klines of a book (rows `from` to `to - 1`) to its strategy's indicators, to compute
   * them in one batch. Only for speed; no output depends on it.
   */
  announce({ owner }: BookRoute, klines: KlineSeries, from: number, to: number): void {
    const { runner, market } = owner
    if (market.role === undefined) runner.announce(klines, from, to)
  }

  /**
   * Closes the klines of the rows `from` to `to - 1` for one book, up to the first that leads to a command. A
   * replay without resting orders in this market passes quiet stretches in this one loop.
   */
  closeKlines({ owner: { runner } }: BookRoute, klines: KlineSeries, from: number, to: number): ClosedKlines {
    const cursor: KlineCursor = { klines, next: from }
    while (cursor.next < to) {
      if (this.#isAlone && !this.#isWatched && runner.isDeciding)
        return this.#closeDecided(runner, cursor, to)
      const outputs = this.#close(runner, new KlineRow(klines, cursor.next++))
      if (outputs.length > 0) return { next: cursor.next, outputs }
    }
    return { next: to, outputs: NOTHING }
  }

  /**
   * Closes the next kline of a cursor for one book. Of a strategy that only decides on its own klines, further rows cost little
   * more than its handler, until `settle`.
   */
  closeNext(route: BookRoute, cursor: KlineCursor): readonly EngineOutput[] {
    const { runner, market } = route.owner
    const isQuiet = runner.isFollowing || (market.role === undefined && runner.isDeciding)
    if (!isQuiet || this.#isWatched) {
      runner.settle()
      return this.closeKline(route, new KlineRow(cursor.klines, cursor.next++))
    }
    this.#ledger.observeCloseOf(runner.prices, cursor.klines.close[cursor.next] as number) // there is a next row
    const outputs = this.#outputs
    while (outputs.length > 0) outputs.pop()
    try {
      runner.closeRow(cursor, outputs)
    } catch (error) {
      disableFailed(runner, error, outputs)
    }
    return outputs
  }

  /** Brings what a book's strategy was shown by `closeNext` to its account; call it before orders trade. */
  settle({ owner: { runner } }: BookRoute): void {
    runner.settle()
  }

  /** Closes one kline for one book: that of a strategy's own market, or of one of its roles. */
  closeKline({ owner, feeds }: BookRoute, kline: Kline): readonly EngineOutput[] {
    const { runner, market } = owner
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
    if (!this.#isAlone) this.#ledger.observeCloseOf(runner.prices, kline.close)
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
