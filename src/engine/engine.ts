import { rulesOf } from '../domain/account-rules.ts'
import { bookOf } from '../domain/book-names.ts'
import type {
  BalancesReported,
  EngineEvent,
  Filled,
  FundingPaid,
  Liquidated,
  OrderUpdated,
  PricesSeen,
  SessionEnding,
  SessionStarted,
  StrategyBroke,
} from '../domain/events/engine-event.ts'
import type { EngineOutput } from '../domain/events/engine-output.ts'
import type { TradingCommanded } from '../domain/events/trading-event.ts'
import type { TradingScope } from '../domain/events/trading-hold.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import { priceOf } from '../domain/numbers/grid.ts'
import type { SessionIdentity } from '../domain/orders/client-order-id.ts'
import type { Fill } from '../domain/orders/fill.ts'
import type { OrderRequest } from '../domain/orders/order-request.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Ledger, LedgerState } from '../ledger/ledger.ts'
import { StrategyError } from '../strategy/strategy-error.ts'
import type { EngineOptions } from './engine-options.ts'
import { ENGINE_STATE_VERSION, type EngineState, type SeenKlines } from './engine-state.ts'
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
 * Events in, commands out: synchronous, deterministic, without a clock. The same events in the same order always
 * give the same outputs, live and in a backtest.
 */
export class Engine {
  readonly ledger: Ledger
  readonly risk: EngineRisk
  /** Shows the market to strategies; a replay may go through it book by book. */
  readonly router: MarketDataRouter
  readonly #runners: readonly StrategyRunner[]
  readonly #owners: BookOwners
  readonly #subscriptions: Subscriptions

  /** Throws `UsageError` for parameters that a strategy cannot use, for roles without an instrument, and for risk rules that do not fit the strategies. */
  constructor(options: EngineOptions) {
    const { bot, ledger, sizingReference } = options
    this.ledger = ledger
    const traded = tradedMarkets(options.strategies)
    this.risk = new EngineRisk(options, traded, (scope, out) => this.#cancelEntries(scope, out))
    this.#runners = options.strategies.map(
      (declared, index) =>
        new StrategyRunner(declared, ledger, (role, clock) => {
          const place = traded.findIndex(market => market.strategyIndex === index && market.role === role)
          const { symbol, book, size } = traded[place] as TradedMarket // each role has one
          return new MarketTrader({
            ...{ bot, ledger, role, symbol, book, size, clock },
            strategy: declared.strategy.name,
            risk: this.risk.riskOf(place),
            sizesAtOpen: sizingReference === 'nextOpen',
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

  /** Who trades what in its own market, in which book, in the order of their declaration. */
  get runners(): readonly Pick<
    StrategyRunner,
    'book' | 'books' | 'symbol' | 'interval' | 'markets' | 'feeds' | 'hasStopped'
  >[] {
    return this.#runners
  }

  /** All streams of klines that somebody follows, in the order in which those that close together are shown, if they are equally long. */
  get klineStreams(): readonly KlineStream[] {
    return this.#subscriptions.klineStreams
  }

  /** Whether any strategy wants to know when trading begins and ends. */
  get hasSessions(): boolean {
    return this.#runners.some(runner => runner.hasSessions)
  }

  /** Klines to see of a stream before the first decision of everybody who follows it. */
  warmUpOf(symbol: string, interval: Interval): number {
    const subscriptions = this.#subscriptions.ofKlines(symbol, interval)
    // Of a feed at least the latest one, so that there is one to look at.
    return Math.max(
      ...subscriptions.map(({ runner, feed }) =>
        feed === undefined ? runner.warmUp : Math.max(1, feed.warmUp),
      ),
    )
  }

  /** Takes one event and returns what follows from it: commands to carry out, notices to report. */
  process(event: EngineEvent): readonly EngineOutput[] {
    switch (event.type) {
      case 'klineClosed':
        return this.router.showAllKline(event)
      case 'historySeen':
        this.router.showAllHistory(event)
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
        return this.router.showAllData(event)
      case 'balancesReported':
        return this.#takeBalances(event)
      case 'openingSeen': {
        const out: EngineOutput[] = []
        this.risk.end(event.time, out)
        const price = priceOf(this.ledger.instrument(event.symbol), event.price)
        for (const { runner, market } of this.#owners.meant(event)) {
          runner.observe(event.time)
          market.seeOpening(price, event.again === true, out)
        }
        return out
      }
      case 'flattenRequested': {
        const out: EngineOutput[] = []
        this.risk.end(event.time, out)
        for (const { runner, market } of this.#owners.meant(event)) {
          runner.observe(event.time)
          market.flatten(event.purpose, out)
        }
        return out
      }
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
      case 'liquidated':
        return this.#liquidate(event)
      case 'instrumentHalted': {
        const { symbol, reason, time } = event
        const out: EngineOutput[] = [{ type: 'instrumentHalted', symbol, reason, time }]
        for (const { runner } of this.#owners.meant({ symbol })) runner.disable(out)
        return out
      }
      case 'strategyBroke':
        return this.#stopBroken(event)
      default: {
        const out: EngineOutput[] = []
        this.risk.end(event.time, out)
        this.risk.take(event, out)
        if (event.type === 'tradingCommanded') this.#closeAll(event, out)
        return out
      }
    }
  }

  /**
   * Takes in that an exchange has an order at once, as `process` does for `submitted` and for `accepted`, in one step without
   * notices. Not where the strategy is told of each, or time may let something end: then it does nothing, and says so.
   */
  acknowledge(request: OrderRequest, time: number): boolean {
    const { runner, market } = this.#owners.ofOrder(request)
    if (runner.followsOrders || time >= this.risk.nextEnd) return false
    this.ledger.orders.acknowledge(request.clientOrderId)
    runner.observe(time)
    market.observe()
    return true
  }

  /** Everything that later outputs depend on, besides the klines seen; plain data. Nothing of it may be changed. */
  snapshot(): EngineState {
    const desks = this.#runners.map(runner => runner.memory.snapshot())
    const [ledger, risk] = [this.ledger.snapshot(), this.risk.snapshot()]
    return { version: ENGINE_STATE_VERSION, ledger, risk, desks }
  }

  /**
   * Takes over a snapshot; only of use to an engine that has processed nothing. From then on, it gives what the engine of
   * the snapshot gives, whose klines are given besides. Throws `UsageError` where the snapshot has an open position or order
   * that nobody here trades.
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

  /** Calls `onBroken` once for each strategy that fails after a handler has returned; the caller adds the time. */
  watchStrategies(onBroken: (broken: Omit<StrategyBroke, 'time'>) => void): void {
    for (const runner of this.#runners) {
      const { symbol, book } = runner
      runner.watch(({ message }) => onBroken({ type: 'strategyBroke', symbol, book, reason: message }))
    }
  }

  /** Nothing is processed any more: strategies let go of what they hold. */
  dispose(): void {
    for (const runner of this.#runners) runner.dispose()
  }

  /**
   * A session began: no decision is older than it, whatever the times of its market data, and no
   * clientOrderId is one of another session. To be called where a session begins, and after its state was restored.
   */
  nameSession(session: SessionIdentity): void {
    for (const runner of this.#runners) runner.nameSession(session)
  }

  /** Somebody has started the bot anew: strategies that were stopped are asked again. */
  beginSession(): void {
    for (const runner of this.#runners) runner.enable()
  }

  /** Strategies that want to know are told that trading begins or ends. */
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

  /** Closes what a command wants closed. */
  #closeAll({ command, symbol, time }: TradingCommanded, out: EngineOutput[]): void {
    if (command !== 'flatten' && command !== 'kill') return
    for (const { runner, market } of this.#owners.in({ symbol })) {
      runner.observe(time)
      market.close(out)
    }
  }

  #fill({ fill }: Filled): readonly EngineOutput[] {
    const booking = this.ledger.book(fill)
    if (booking === undefined) return NOTHING
    const out: EngineOutput[] = [{ type: 'fillBooked', fill, order: booking.order }]
    for (const roundTrip of booking.roundTrips) out.push({ type: 'roundTripClosed', roundTrip })
    this.risk.end(fill.time, out)
    if (this.risk.isWatching) this.risk.book(fill, booking, out)
    const { runner, market } = this.#owners.ofOrder(booking.order.request)
    try {
      runner.afterFill(market, fill, booking.order, out)
    } catch (error) {
      disableFailed(runner, error, out)
    }
    return out
  }

  /** Books what the exchange took over. With all cross positions goes the money that orders would need, so that entries go as well. */
  #liquidate({ liquidation, fillId, time }: Liquidated): readonly EngineOutput[] {
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
    out.push(...this.#fill({ type: 'filled', fill }))
    return out
  }

  #cancelContractEntries(out: EngineOutput[]): void {
    for (const { market } of this.#owners.all) {
      if (rulesOf(market.view.instrument).holdsContracts) market.cancelEntries(out)
    }
  }

  /** Protections act on prices that are known before a kline tells them. */
  #seePrices({ prices, time }: PricesSeen): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    this.risk.end(time, out)
    for (const [symbol, price] of prices) this.ledger.mark(this.ledger.instrument(symbol), price)
    this.risk.mark(undefined, time, out)
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
    const order = this.ledger.orders.update(clientOrderId, event, { exchangeOrderId, reason })
    const out: EngineOutput[] = [{ type: 'orderChanged', order, time }]
    this.risk.end(time, out)
    const { runner, market } = this.#owners.ofOrder(order.request)
    try {
      runner.afterUpdate(market, order, time, out)
    } catch (error) {
      disableFailed(runner, error, out)
    }
    return out
  }
}

/** The books that hold something, or that an order works for. */
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
