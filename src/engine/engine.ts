import { rulesOf } from '../domain/account-rules.ts'
import { listedName } from '../domain/account-symbol.ts'
import { bookOf } from '../domain/book-names.ts'
import type {
  BalancesReported,
  EngineEvent,
  Filled,
  FlattenRequested,
  FundingPaid,
  Liquidated,
  OpeningSeen,
  OrderUpdated,
  PricesSeen,
  RetryDue,
  SessionEnding,
  SessionStarted,
  StrategyBroke,
} from '../domain/events/engine-event.ts'
import type { EngineOutput } from '../domain/events/engine-output.ts'
import type { Explain } from '../domain/events/explanation.ts'
import type { TradingCommanded } from '../domain/events/trading-event.ts'
import type { TradingScope } from '../domain/events/trading-hold.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import { priceOf, roundToTicks } from '../domain/numbers/grid.ts'
import type { SessionIdentity } from '../domain/orders/client-order-id.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import { isWorking } from '../domain/orders/order-status.ts'
import { oppositeOf } from '../domain/orders/side.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Ledger, LedgerState } from '../ledger/ledger.ts'
import { StrategyError } from '../strategy/strategy-error.ts'
import type { TooSmallProtection, WantedProtection } from './brackets/protective-order.ts'
import type { EngineOptions } from './engine-options.ts'
import { ENGINE_STATE_VERSION, type EngineState, type SeenKlines } from './engine-state.ts'
import type { UnfinishedExit } from './orders/unfinished-exits.ts'
import { EngineRisk } from './risk/engine-risk.ts'
import { BookOwners } from './routing/book-owners.ts'
import { disableFailed } from './routing/disable-failed.ts'
import { MarketDataRouter } from './routing/market-data-router.ts'
import { type KlineStream, Subscriptions } from './routing/subscriptions.ts'
import { MarketTrader } from './strategy/market-trader.ts'
import { StrategyRunner } from './strategy/strategy-runner.ts'
import { type TradedMarket, tradedMarkets } from './traded-markets.ts'

const NOTHING: readonly EngineOutput[] = []

/**
 * Events in, commands out: synchronous, deterministic, without a clock. The same events in the same order
 * always give the same outputs, live and in a backtest.
 */
export class Engine {
  readonly ledger: Ledger
  readonly risk: EngineRisk
  /** Shows the market to strategies; a replay may go through it book by book. */
  readonly router: MarketDataRouter
  readonly #runners: readonly StrategyRunner[]
  readonly #owners: BookOwners
  readonly #subscriptions: Subscriptions
  readonly #isObserved: boolean

  /**
   * Throws `UsageError` for parameters that a strategy cannot use, for roles without an instrument, and for
   * risk rules that do not fit the strategies.
   */
  constructor(options: EngineOptions) {
    const { bot, ledger, sizingReference, exitsAtOnce, isObserved = true } = options
    this.ledger = ledger
    this.#isObserved = isObserved
    const traded = tradedMarkets(options.strategies)
    this.risk = new EngineRisk(options, traded, (scope, out) => this.#cancelEntries(scope, out))
    this.#runners = options.strategies.map(
      (declared, index) =>
        new StrategyRunner(declared, ledger, isObserved, (role, clock) => {
          const place = traded.findIndex(market => market.strategyIndex === index && market.role === role)
          const { symbol, book, size } = traded[place] as TradedMarket // each role has one
          return new MarketTrader({
            ...{ bot, ledger, role, symbol, book, size, clock },
            strategy: declared.strategy.name,
            risk: this.risk.riskOf(place),
            ...{ sizesAtOpen: sizingReference === 'nextOpen', exitsAtOnce },
          })
        }),
    )
    this.#owners = new BookOwners(this.#runners)
    this.#subscriptions = new Subscriptions(this.#runners)
    this.router = new MarketDataRouter({
      ...{ ledger, risk: this.risk, runners: this.#runners },
      ...{ owners: this.#owners, subscriptions: this.#subscriptions },
    })
  }

  /** Strategies with their own market and book, in the order of their declaration. */
  get runners(): readonly Pick<
    StrategyRunner,
    'book' | 'books' | 'symbol' | 'interval' | 'markets' | 'feeds' | 'hasStopped' | 'haltedBy'
  >[] {
    return this.#runners
  }

  /**
   * All followed streams of klines, in the order in which simultaneous closes are shown, if they are equally
   * long.
   */
  get klineStreams(): readonly KlineStream[] {
    return this.#subscriptions.klineStreams
  }

  /** Number of signals so far; a repeated declaration of quotes is none. */
  get signals(): number {
    return this.#runners.reduce((sum, { signals }) => sum + signals, 0)
  }

  /** True if any strategy has session handlers. */
  get hasSessions(): boolean {
    return this.#runners.some(runner => runner.hasSessions)
  }

  /** Klines of a stream needed before the first decision of all its followers. */
  warmUpOf(symbol: string, interval: Interval): number {
    const subscriptions = this.#subscriptions.ofKlines(symbol, interval)
    // At least the latest one of a feed, so that it has data.
    return Math.max(
      ...subscriptions.map(({ runner, feed }) =>
        feed === undefined ? runner.warmUp : Math.max(1, feed.warmUp),
      ),
    )
  }

  /** Values an instrument at its latest price (quote per base) from now on; nothing else follows from it. */
  mark(symbol: string, price: number): void {
    const instrument = this.ledger.instrument(symbol)
    this.ledger.mark(instrument, roundToTicks(instrument, price, 'nearest'))
  }

  /** Processes one event and returns its outputs: commands to execute, notices to report. */
  process(event: EngineEvent): readonly EngineOutput[] {
    switch (event.type) {
      case 'klineClosed':
        return this.router.dispatchKline(event)
      case 'historySeen':
        this.router.dispatchHistory(event)
        return NOTHING
      case 'filled':
        return this.#fill(event)
      case 'orderUpdated':
        return this.#update(event)
      case 'trailingStopMoved':
        this.ledger.orders.trail(event.clientOrderId, event.best)
        return NOTHING
      case 'tickerSeen':
      case 'depthSeen':
      case 'publicTradeSeen':
      case 'indexPriceSeen':
      case 'fundingRateSeen':
        return this.router.dispatchData(event)
      case 'balancesReported':
        return this.#takeBalances(event)
      case 'openingSeen': {
        const price = priceOf(this.ledger.instrument(event.symbol), event.price)
        return this.#inMeant(event, (market, out) => market.observeOpening(price, event.again === true, out))
      }
      case 'flattenRequested':
        return this.#inMeant(event, (market, out) => market.flatten(event.purpose, out))
      case 'retryDue':
        return this.#inMeant(event, (market, out) => market.retry(out))
      case 'sessionStarted':
      case 'sessionEnding':
        return this.#turnSession(event)
      case 'markPriceSeen':
        this.ledger.markContract(this.ledger.instrument(event.symbol), event.price)
        return NOTHING
      case 'pricesSeen':
        return this.#seePrices(event)
      case 'fundingPaid':
        return this.#payFunding(event)
      case 'positionMarginReported':
        this.ledger.contracts.setMargin(event.book, event.margin)
        return NOTHING
      case 'positionCostReported':
        this.ledger.setCost(event.book, event.cost)
        return NOTHING
      case 'liquidated':
        return this.#liquidate(event)
      case 'instrumentHalted': {
        const { symbol, reason, time } = event
        const out: EngineOutput[] = [{ type: 'instrumentHalted', symbol, reason, time }]
        for (const { runner } of this.#owners.meant({ symbol })) runner.halt(reason, out)
        return out
      }
      case 'strategyBroke':
        return this.#stopBroken(event)
      default: {
        const out: EngineOutput[] = []
        this.risk.end(event.time, out)
        this.risk.apply(event, out)
        if (event.type === 'tradingCommanded') this.#closeAll(event, out)
        return out
      }
    }
  }

  /**
   * Applies `submitted` and `accepted` of an order as `process` does, in one step without notices. If the
   * changes of orders are read, by an order handler or as notices, or a hold may end by `time`, it does nothing
   * and returns false.
   */
  acknowledge(request: OrderRequest, time: number): boolean {
    const { runner, market } = this.#owners.ofOrder(request)
    if (this.#isObserved || runner.followsOrders || time >= this.risk.nextEnd) return false
    this.ledger.orders.acknowledge(request.clientOrderId)
    runner.observe(time)
    market.observe()
    return true
  }

  /** Symbols with refused protective orders or unfinished exits at market, which wait for `RetryDue`. */
  get awaitingRetry(): ReadonlySet<string> {
    return this.#symbolsOf(({ awaitsRetry }) => awaitsRetry)
  }

  /** Exits at market that the exchange did not complete, and that go on, with the symbols of their books. */
  get unfinishedExits(): readonly (UnfinishedExit & { readonly symbol: string })[] {
    return this.#owners.all.flatMap(({ market: { symbol, unfinishedExits } }) =>
      unfinishedExits.map(exit => ({ ...exit, symbol })),
    )
  }

  /**
   * True while an exit at market is not over that an entry must wait for: one on the side and the position of the entry, or
   * one of any strategy on the other side of its market, which a limit order could trade with.
   */
  isHeldByExit(request: OrderRequest): boolean {
    if (!this.#isAnyExiting) return false
    const { side, spec, symbol } = request
    if (this.#owners.ofOrder(request).market.isExiting(bookOf(request), side)) return true
    if (spec.type !== 'limit' && spec.type !== 'stopLimit') return false
    const listed = listedName(symbol)
    return this.#owners.all.some(
      ({ market }) => listedName(market.symbol) === listed && market.isTradingOut(oppositeOf(side)),
    )
  }

  /** False if no exit at market can be under way, as mostly. */
  get #isAnyExiting(): boolean {
    for (const { request } of this.ledger.orders.working)
      if (request.reduceOnly && request.spec.type === 'market') return true
    return this.#owners.all.some(({ market }) => market.unfinishedExits.length > 0)
  }

  /** Symbols whose positions are being closed as an operator asked. */
  get closing(): ReadonlySet<string> {
    return this.#symbolsOf(({ isClosing }) => isClosing)
  }

  /** Reasons of these closings, in sentences, by symbol. */
  get closingReasons(): ReadonlyMap<string, string> {
    return new Map(
      this.#owners.all.flatMap(({ market: { symbol, closingReason } }) =>
        closingReason === undefined ? [] : [[symbol, closingReason] as const],
      ),
    )
  }

  /** Protective orders of open positions that are less than an order may be. */
  get tooSmallProtection(): readonly TooSmallProtection[] {
    return this.#owners.all.flatMap(({ market }) => market.tooSmallProtection)
  }

  /** Protective orders of open positions that work, or wait for a retry. */
  get wantedProtection(): readonly WantedProtection[] {
    return this.#owners.all.flatMap(({ market }) => market.wantedProtection)
  }

  /** All state that later outputs depend on, besides the klines seen, as plain data; do not modify it. */
  snapshot(): EngineState {
    const desks = this.#runners.map(runner => runner.memory.snapshot())
    const [ledger, risk] = [this.ledger.snapshot(), this.risk.snapshot()]
    return { version: ENGINE_STATE_VERSION, ledger, risk, desks }
  }

  /**
   * Restores a snapshot into an engine without events. From then on, its outputs equal those of the
   * snapshot's engine, given its klines. Throws `UsageError` if the snapshot has an open position or order of
   * a book without a strategy.
   */
  restore({ ledger, risk, desks }: EngineState, klinesOf: SeenKlines): void {
    const orphan = booksInUse(ledger).find(book => !this.#owners.has(book))
    if (orphan !== undefined) throw withoutStrategy(orphan)
    this.ledger.restore(ledger)
    this.risk.restore(risk)
    for (const runner of this.#runners) {
      const state = desks.find(({ book }) => book === runner.book)
      if (state !== undefined) runner.memory.restore(state, klinesOf)
    }
  }

  /**
   * Calls `onBroken` once for each strategy that fails after a handler has returned; the caller adds the
   * time.
   */
  watchStrategies(onBroken: (broken: Omit<StrategyBroke, 'time'>) => void): void {
    for (const runner of this.#runners) {
      const { symbol, book } = runner
      runner.watch(({ message }) => onBroken({ type: 'strategyBroke', symbol, book, reason: message }))
    }
  }

  /**
   * Explains every decision from now on: values of indicators, plotted values, and each check of each order with its figures. They are made
   * only for a listener, and change no output; `undefined` ends that.
   */
  explainTo(explain: Explain | undefined): void {
    for (const runner of this.#runners) runner.explainTo(explain)
  }

  /** Ends processing: strategies release their resources. */
  dispose(): void {
    for (const runner of this.#runners) runner.dispose()
  }

  /**
   * Begins a session: no decision is older than it, whatever the times of its market data, and its
   * clientOrderIds are unique to it. Call it at the start of a session, after its state was restored.
   */
  nameSession(session: SessionIdentity): void {
    for (const runner of this.#runners) runner.nameSession(session)
  }

  /** Enables stopped strategies at the start of a bot. */
  beginSession(): void {
    for (const runner of this.#runners) runner.enable()
  }

  #symbolsOf(isMeant: (market: MarketTrader) => boolean): ReadonlySet<string> {
    return new Set(this.#owners.all.flatMap(({ market }) => (isMeant(market) ? [market.symbol] : [])))
  }

  /** Lets each market act that an event is about. */
  #inMeant(
    event: OpeningSeen | FlattenRequested | RetryDue,
    act: (market: MarketTrader, out: EngineOutput[]) => void,
  ): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    this.risk.end(event.time, out)
    for (const { runner, market } of this.#owners.meant(event)) {
      runner.observe(event.time)
      act(market, out)
    }
    return out
  }

  /** Calls the session handlers of strategies when trading begins or ends. */
  #turnSession({ type, time }: SessionStarted | SessionEnding): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    this.risk.end(time, out)
    for (const runner of this.#runners) {
      try {
        if (type === 'sessionStarted') runner.begin(time, out)
        else runner.end(time, out)
      } catch (error) {
        disableFailed(runner, error, out)
      }
    }
    return out
  }

  #stopBroken({ book, reason, time }: StrategyBroke): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    this.risk.end(time, out)
    disableFailed(this.#owners.of(book).runner, new StrategyError(reason), out)
    return out
  }

  #cancelEntries(scope: TradingScope, out: EngineOutput[]): void {
    for (const { market } of this.#owners.in(scope)) market.cancelEntries(out)
  }

  /** Closes positions on a flatten or kill command. */
  #closeAll({ command, symbol, reason, time }: TradingCommanded, out: EngineOutput[]): void {
    if (command !== 'flatten' && command !== 'kill') return
    for (const { runner, market } of this.#owners.in({ symbol })) {
      runner.observe(time)
      market.close(reason, out)
    }
  }

  #fill({ fill, knownAt }: Filled): readonly EngineOutput[] {
    const booking = this.ledger.book(fill)
    if (booking === undefined) return NOTHING
    const out: EngineOutput[] = []
    // A market that is played reads the fill of a liquidation, which it did not make.
    if (this.#isObserved || booking.order.request.purpose === 'liquidation')
      out.push({ type: 'fillBooked', fill, order: booking.order })
    for (const roundTrip of booking.roundTrips) out.push({ type: 'roundTripClosed', roundTrip })
    this.risk.end(fill.time, out)
    if (this.risk.isWatching) this.risk.book(fill, booking, knownAt, out)
    const { runner, market } = this.#owners.ofOrder(booking.order.request)
    try {
      runner.afterFill(market, fill, booking.order, out)
    } catch (error) {
      disableFailed(runner, error, out)
    }
    return out
  }

  /**
   * Books a liquidation. In cross margin it also takes the money that orders need, so entries are canceled as
   * well.
   */
  #liquidate({ liquidation, fillId, time, knownAt }: Liquidated): readonly EngineOutput[] {
    const { symbol, book, price, quantity, fee } = liquidation
    const { quote, futures } = this.ledger.instrument(symbol)
    const { runner, market } = this.#owners.of(book)
    runner.observe(time)
    const { clientOrderId, side } = market.liquidate(liquidation)
    const fill: Fill = {
      ...{ id: fillId, clientOrderId, symbol, book, side, price, quantity, fee },
      ...{ feeAsset: quote, liquidity: 'taker', time },
    }
    const out: EngineOutput[] = [{ type: 'positionLiquidated', liquidation, time }]
    if (futures?.marginMode === 'cross') this.#cancelContractEntries(out)
    out.push(...this.#fill({ type: 'filled', fill, knownAt }))
    return out
  }

  #cancelContractEntries(out: EngineOutput[]): void {
    for (const { market } of this.#owners.all) {
      if (rulesOf(market.view.instrument).holdsContracts) market.cancelEntries(out)
    }
  }

  /** Applies protections to prices that are known before the next kline, and shows strategies the closes among them. */
  #seePrices({ prices, closes = [], closeTime = Number.NaN, time }: PricesSeen): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    this.risk.end(time, out)
    for (const [symbol, price] of prices) this.ledger.mark(this.ledger.instrument(symbol), price)
    if (prices.length > 0) this.risk.mark(undefined, time, out)
    for (const [symbol, close] of closes) {
      for (const { market } of this.#owners.meant({ symbol })) market.view.observeClose(close, closeTime)
    }
    return out
  }

  #payFunding({ payment }: FundingPaid): readonly EngineOutput[] {
    this.ledger.fund(payment)
    this.risk.payFunding(payment)
    return [{ type: 'fundingBooked', payment }]
  }

  #takeBalances({ balances, account }: BalancesReported): readonly EngineOutput[] {
    this.risk.fund(() => {
      for (const [asset, amount] of balances) this.ledger.setBalance(asset, amount, account)
    })
    return NOTHING
  }

  #update({ clientOrderId, event, exchangeOrderId, reason, time }: OrderUpdated): readonly EngineOutput[] {
    const before = this.ledger.orders.get(clientOrderId)
    const order = this.ledger.orders.update(clientOrderId, event, { exchangeOrderId, reason })
    const isEnd = before !== undefined && isWorking(before.status) && !isWorking(order.status)
    const out: EngineOutput[] = []
    if (this.#isObserved) out.push({ type: 'orderChanged', order, time })
    this.risk.end(time, out)
    const { runner, market } = this.#owners.ofOrder(order.request)
    try {
      runner.afterUpdate(market, order, isEnd, time, out)
    } catch (error) {
      disableFailed(runner, error, out)
    }
    return out
  }
}

/** Books with a position or a working order. */
function booksInUse({ books, orders }: LedgerState): readonly string[] {
  const working = new Set(orders.working)
  const held = books.filter(({ holding }) => holding.position !== undefined).map(({ name }) => name)
  const ordered = [...orders.older, ...orders.recent]
    .filter(({ order }) => working.has(order.request.clientOrderId))
    .map(({ order }) => bookOf(order.request))
  return [...held, ...ordered]
}

function withoutStrategy(book: string): UsageError {
  return new UsageError(
    `There is an open position or order of ${book}, but no strategy trades it any more; put its strategy back, or stop the bot once with "onStop: flatten" before changing that.`,
  )
}
