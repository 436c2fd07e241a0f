import { type EngineOutput, isCommand } from '../../domain/events/engine-output.ts'
import type { Explain } from '../../domain/events/explanation.ts'
import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../../domain/market-data/kline-series.ts'
import { priceOf, quantityOf } from '../../domain/numbers/grid.ts'
import type { SessionIdentity } from '../../domain/orders/client-order-id.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { LedgerMarket } from '../../ledger/market-prices.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import { followedFeeds } from '../../strategy/feeds/followed-feeds.ts'
import type { Signals } from '../../strategy/signals.ts'
import type { StrategyError } from '../../strategy/strategy-error.ts'
import type { StrategyRun } from '../../strategy/strategy-run.ts'
import type { PlotValues } from '../../strategy/strategy-view.ts'
import type { StrategyRunnerOptions } from '../engine-options.ts'
import { EngineStrategyView } from './engine-strategy-view.ts'
import type { MarketTrader } from './market-trader.ts'
import { type MakeMarketTrader, MarketTraders } from './market-traders.ts'
import { StrategyClock } from './strategy-clock.ts'
import type { StrategyFeed } from './strategy-feed.ts'
import { StrategyFeeds } from './strategy-feeds.ts'
import { type RunnerStatus, StrategySnapshot } from './strategy-snapshot.ts'
import { StrategyTimers } from './strategy-timers.ts'

/** Runs one strategy: shows it its data, and passes its signals to the traders of their markets. */
export class StrategyRunner {
  readonly interval: Interval
  /** Prices of its own instrument. */
  readonly prices: LedgerMarket
  /** State kept over a restart. */
  readonly memory: StrategySnapshot
  readonly #markets: MarketTraders
  readonly #feeds: StrategyFeeds
  readonly #own: MarketTrader
  readonly #clock: StrategyClock
  readonly #view: EngineStrategyView
  readonly #run: StrategyRun
  readonly #timers: StrategyTimers
  /** True if only its own klines can lead to a decision. */
  readonly #isPlain: boolean
  readonly #standing: RunnerStatus = { isStarting: false, hasStopped: false }
  #explain: Explain | undefined
  #followed: KlineCursor | undefined
  /** Its row when it was followed. */
  #followedFrom = 0

  constructor(options: StrategyRunnerOptions, ledger: Ledger, isObserved: boolean, make: MakeMarketTrader) {
    const { strategy, parameters } = options
    this.interval = options.interval
    const followed = followedFeeds(strategy, options)
    this.#clock = new StrategyClock(options.interval)
    this.#markets = new MarketTraders(strategy, this.#clock, isObserved, make)
    const { own, all } = this.#markets
    this.#own = own
    this.prices = ledger.marketOf(own.symbol)
    const views = Object.fromEntries(all.slice(1).map(({ role, view }) => [role, view]))
    this.#view = new EngineStrategyView(own.view, views, this.#clock, ledger)
    this.#run = strategy.start(parameters, this.#view)
    this.#feeds = new StrategyFeeds(followed, this.#run.feeds, this.#markets, this.interval)
    this.#timers = new StrategyTimers(strategy.timers)
    this.#isPlain = this.feeds.length === 0 && this.#timers.areNone
    this.memory = new StrategySnapshot({
      ...{ options, run: this.#run, clock: this.#clock, markets: this.#markets, feeds: this.#feeds },
      ...{ timers: this.#timers, standing: this.#standing, observeHistory: kline => this.seeHistory(kline) },
    })
  }

  /** Its own market, then those of its roles. */
  get markets(): readonly MarketTrader[] {
    return this.#markets.all
  }

  /** Its feeds besides its own klines. */
  get feeds(): readonly StrategyFeed[] {
    return this.#feeds.all
  }

  /** Number of its signals so far. */
  get signals(): number {
    return this.#markets.signals
  }

  get symbol(): string {
    return this.#own.symbol
  }

  /** Name of its strategy. */
  get strategy(): string {
    return this.#own.strategy
  }

  /** The position that it trades in its own market; see `bookNames`. */
  get book(): string {
    return this.#own.book
  }

  /** Books of that position. */
  get books(): MarketTrader['books'] {
    return this.#own.books
  }

  /** Klines of its own to see before the first decision. */
  get warmUp(): number {
    return this.#run.warmUp
  }

  get hasSessions(): boolean {
    return this.#run.onStart !== undefined || this.#run.onStop !== undefined
  }

  /** Announces the next klines to the indicators: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void {
    this.#run.announce(klines, from, to)
  }

  /** Feeds the indicators with a kline of its own. */
  seeHistory(kline: Kline): void {
    const time = this.#see(kline)
    if (this.#explain !== undefined) this.#explainSeen(time, this.#explain)
    if (!this.#isPlain) this.#timers.pass(time)
  }

  /** Shows the strategy a closed kline of its own; `undefined` without outputs. */
  closeKline(kline: Kline): EngineOutput[] | undefined {
    const time = this.#see(kline)
    return this.#markets.retryExits(time, this.#decideAtClose(kline, time, this.#markets.expire(time)))
  }

  /** Takes in a closed kline of its own; returns its close time, ms UTC. */
  #see(kline: Kline): number {
    this.#run.update(kline)
    this.#clock.klines++
    const time = closeTimeOf(kline.openTime, this.interval)
    this.#own.view.observeClose(kline.close, time)
    this.#own.bests.observeKline(kline, time)
    return time
  }

  /** Has the strategy decide on a closed kline, after the work due at its close. */
  #decideAtClose(
    kline: Kline,
    time: number,
    expired: EngineOutput[] | undefined,
  ): EngineOutput[] | undefined {
    if (!this.#isPlain || this.#standing.isStarting) return this.#closeWithOthers(kline, time, expired)
    if (this.#standing.hasStopped) return expired
    if (this.#clock.klines <= this.#run.warmUp) {
      if (this.#explain !== undefined) this.#explainSeen(time, this.#explain)
      return expired
    }
    this.#clock.show(time)
    if (this.#explain !== undefined) this.#explainKline(time, this.#explain)
    const signals = this.#run.onKline(kline)
    if (signals === undefined) return expired
    const out: EngineOutput[] = expired ?? []
    this.#markets.distribute(signals, out)
    return out
  }

  /** True if only the strategy reacts to the next kline: it decides unexplained, and no order can expire. */
  get isDeciding(): boolean {
    return (
      this.#isPlain &&
      this.#explain === undefined &&
      !this.#standing.isStarting &&
      this.#clock.klines >= this.#run.warmUp &&
      !this.#standing.hasStopped &&
      this.#own.isTimeless
    )
  }

  /**
   * Shows a deciding strategy closed klines, up to the first that leads to a command or the row before `to`.
   */
  closeKlines(cursor: KlineCursor, to: number, out: EngineOutput[]): void {
    for (let told = 0; cursor.next < to && !hasCommand(out, told); ) {
      told = out.length
      this.#markets.distribute(this.#askOnKlines(cursor, to), out)
    }
  }

  /** True while it follows a cursor: since then it has decided nothing, and nothing else happened to it. */
  get isFollowing(): boolean {
    return this.#followed !== undefined
  }

  /** Shows a deciding strategy the next row of a cursor, which it follows until it has signals. */
  closeRow(cursor: KlineCursor, out: EngineOutput[]): void {
    if (this.#followed === undefined) this.#follow(cursor)
    const signals = this.#run.onKlines(cursor, cursor.next + 1)
    if (signals === undefined) return
    this.settle()
    this.#markets.distribute(signals, out)
  }

  /** Stays at the row shown last; does nothing where it follows none. */
  settle(): void {
    const cursor = this.#followed
    if (cursor === undefined) return
    this.#followed = undefined
    this.#clock.settle()
    this.#own.view.settle(closeTimeOf(cursor.klines.openTime[cursor.next - 1] as number, this.interval)) // shown, hence a row
    this.#own.bests.observeRows(cursor.klines, this.#followedFrom, cursor.next, this.interval)
  }

  /** Shows the strategy a datum of a feed; `time` is the time it is known, ms UTC. */
  dispatchFeed(feed: StrategyFeed, datum: Datum, time: number, out: EngineOutput[]): void {
    feed.update(datum)
    if (!this.#isAsked) return
    if (feed.followed.feed.type === 'klines') this.#show(time)
    else this.#clock.advance(time)
    this.#markets.distribute(feed.show(datum), out)
    this.#ring(time, false, out)
  }

  /** Explains each decision on a kline of its own, the indicators at each other one, each plot and each order, from now on; `undefined` ends that. */
  explainTo(explain: Explain | undefined): void {
    this.#explain = explain
    this.#view.onPlot = explain && (values => this.#explainPlot(values, explain))
    for (const market of this.markets) market.explainTo(explain)
  }

  /** Begins a session: no decision is older than it, and order ids are those of that session. */
  nameSession(session: SessionIdentity): void {
    this.#clock.begin(session.startedAt)
    for (const market of this.markets) market.nameSession(session)
  }

  /** Trading begins: calls the start handler once the warm-up is complete. */
  begin(time: number, out: EngineOutput[]): void {
    if (this.#run.onStart === undefined) return
    this.#standing.isStarting = true
    this.#clock.advance(time)
    this.#startIfWarm(out)
  }

  /** Trading ends. */
  end(time: number, out: EngineOutput[]): void {
    if (this.#run.onStop === undefined || !this.#isAsked) return
    this.#clock.advance(time)
    this.#markets.distribute(this.#run.onStop(), out)
  }

  observe(time: number): void {
    this.#clock.advance(time)
  }

  /** After the booking of a fill: protects the position and notifies the strategy. */
  afterFill(market: MarketTrader, fill: Fill, order: Order, out: EngineOutput[]): void {
    this.#clock.advance(fill.time)
    market.afterFill(fill, order, out)
    const { onFill } = this.#run
    if (onFill === undefined || this.#standing.hasStopped) return
    const { instrument } = market.view
    const view = {
      clientOrderId: fill.clientOrderId,
      side: fill.side,
      purpose: order.request.purpose,
      price: priceOf(instrument, fill.price),
      quantity: quantityOf(instrument, fill.quantity),
      tag: order.request.tag,
      market: market.role,
      time: fill.time,
    }
    this.#markets.distribute(onFill(view), out)
  }

  /** True if the strategy has an active order handler. */
  get followsOrders(): boolean {
    return this.#run.onOrder !== undefined && !this.#standing.hasStopped
  }

  /** After another change of an order, `isEnd` if it has just stopped working: releases signals that waited for it and notifies the strategy. */
  afterUpdate(market: MarketTrader, order: Order, isEnd: boolean, time: number, out: EngineOutput[]): void {
    this.#clock.advance(time)
    market.afterUpdate(order, isEnd, out)
    const { onOrder } = this.#run
    if (onOrder === undefined || this.#standing.hasStopped) return
    this.#markets.distribute(onOrder(market.view.order(order)), out)
  }

  /** Its kline feeds of one of its markets, at its own interval. */
  feedsOf(market: MarketTrader): readonly StrategyFeed[] {
    return this.#feeds.tradedOn(market)
  }

  /** True if its strategy is disabled: it threw, has ended, or its instrument was halted. */
  get hasStopped(): boolean {
    return this.#standing.hasStopped
  }

  /** Reason of the halt of its instrument, a sentence; `undefined` if it runs, or stopped otherwise. */
  get haltedBy(): string | undefined {
    return this.#standing.haltedBy
  }

  /** Stops the strategy: cancels its resting entries, and keeps its protective orders. */
  disable(out: EngineOutput[]): void {
    this.settle()
    this.#standing.hasStopped = true
    for (const market of this.markets) market.cancelEntries(out)
  }

  /** Stops the strategy because its instrument is halted, for a reason in a sentence. */
  halt(reason: string, out: EngineOutput[]): void {
    if (!this.#standing.hasStopped) this.#standing.haltedBy = reason
    this.disable(out)
  }

  /** Stops the strategy, and keeps all of its orders. */
  retire(): void {
    this.settle()
    this.#standing.hasStopped = true
  }

  /** Enables the strategy again after a restart of the bot. */
  enable(): void {
    this.#standing.hasStopped = false
    this.#standing.haltedBy = undefined
  }

  /** Calls `onFailure` once, should its strategy fail after a handler has returned. */
  watch(onFailure: (error: StrategyError) => void): void {
    this.#run.watch?.(onFailure)
  }

  /** Disposes of the strategy, which is shown no more data. */
  dispose(): void {
    this.#run.dispose?.()
  }

  /** True once its warm-up is complete and it may decide. */
  get #isAsked(): boolean {
    return !this.#standing.hasStopped && !this.#standing.isStarting && this.#isWarm
  }

  get #isWarm(): boolean {
    return this.#clock.klines >= this.#run.warmUp && this.#feeds.areWarm
  }

  #explainKline(time: number, explain: Explain): void {
    const { strategy, symbol, book, view, standing } = this.#own
    const [indicators, trailing] = [this.#indicatorValues(), view.trailingLevels]
    explain({ type: 'klineDecided', strategy, symbol, book, time, indicators, trailing, ...standing })
  }

  #explainSeen(time: number, explain: Explain): void {
    const { strategy, symbol, book } = this.#own
    explain({ type: 'klineSeen', strategy, symbol, book, time, indicators: this.#indicatorValues() })
  }

  #explainPlot(values: PlotValues, explain: Explain): void {
    const { strategy, symbol, book } = this.#own
    explain({ type: 'plotted', strategy, symbol, book, time: this.#clock.time, values: { ...values } })
  }

  /** An indicator that cannot be read fails where the strategy reads it, and not here. */
  #indicatorValues(): Readonly<Record<string, unknown>> {
    try {
      return this.#run.indicatorValues?.() ?? {}
    } catch {
      return {}
    }
  }

  /** Closes a kline for a strategy with feeds or timers, or one that is starting. */
  #closeWithOthers(kline: Kline, time: number, expired: EngineOutput[] | undefined): EngineOutput[] {
    const out: EngineOutput[] = expired ?? []
    if (this.#standing.hasStopped) return out
    this.#show(time)
    // The kline that completes the warm-up is seen, but not decided on.
    if (this.#standing.isStarting || this.#clock.klines <= this.#run.warmUp || !this.#isWarm) {
      if (this.#explain !== undefined) this.#explainSeen(time, this.#explain)
      this.#timers.pass(time)
      this.#startIfWarm(out)
      return out
    }
    if (this.#explain !== undefined) this.#explainKline(time, this.#explain)
    this.#markets.distribute(this.#run.onKline(kline), out)
    this.#ring(time, true, out)
    return out
  }

  /** Begins to show a kline that closed at `time`, ms UTC, at the time and the prices of that moment. */
  #show(time: number): void {
    this.#clock.show(time)
    for (const { view } of this.markets) view.returnTo(time)
  }

  #startIfWarm(out: EngineOutput[]): void {
    if (!this.#standing.isStarting || !this.#isWarm || this.#standing.hasStopped) return
    this.#standing.isStarting = false
    this.#markets.distribute(this.#run.onStart?.(), out)
  }

  /** Calls the handlers of due timers. */
  #ring(time: number, includes: boolean, out: EngineOutput[]): void {
    for (const due of this.#timers.take(time, includes))
      this.#markets.distribute(this.#run.onTimer(due.name, due.time), out)
  }

  /** Follows the rows that a cursor shows, until `settle`. */
  #follow(cursor: KlineCursor): void {
    this.#followed = cursor
    this.#followedFrom = cursor.next
    this.#clock.follow(cursor)
    this.#own.view.follow(cursor)
  }

  #askOnKlines(cursor: KlineCursor, to: number): Signals<string> {
    this.#follow(cursor)
    try {
      return this.#run.onKlines(cursor, to)
    } finally {
      this.settle()
    }
  }
}

function hasCommand(outputs: readonly EngineOutput[], from: number): boolean {
  for (let index = from; index < outputs.length; index++) {
    const output = outputs[index]
    if (output !== undefined && isCommand(output)) return true
  }
  return false
}
