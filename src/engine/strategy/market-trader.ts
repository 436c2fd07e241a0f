import { rulesOf } from '../../domain/account-rules.ts'
import { bookOf } from '../../domain/book-names.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import type { Explain, KlineDecided } from '../../domain/events/explanation.ts'
import type { Liquidation } from '../../domain/events/liquidation.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { baseAmount, priceOf, type Steps } from '../../domain/numbers/grid.ts'
import type { SessionIdentity } from '../../domain/orders/client-order-id.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Purpose } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import { exitSideOf, oppositeOf, type Side } from '../../domain/orders/side.ts'
import type { Signal, Size } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { BestPrices, type BestPricesState } from '../brackets/best-prices.ts'
import { type BracketState, Brackets, type ProtectedEntry } from '../brackets/brackets.ts'
import type { ProtectiveLeg } from '../brackets/protection-prices.ts'
import type { TooSmallProtection, WantedProtection } from '../brackets/protective-order.ts'
import { SignalExecutor, type SignalExecutorState } from '../decisions/signal-executor.ts'
import { SignalTranslator } from '../decisions/signal-translator.ts'
import { Exits } from '../orders/exits.ts'
import { OcoFills } from '../orders/oco-fills.ts'
import { type ExpiringOrder, OrderExpiry } from '../orders/order-expiry.ts'
import { OrderPlacer, type OrderPlacerState, type UnplacedIntent } from '../orders/order-placer.ts'
import { excessExits } from '../orders/resting-exits.ts'
import { type ExitPurpose, type UnfinishedExit, UnfinishedExits } from '../orders/unfinished-exits.ts'
import { WorkingOrders } from '../orders/working-orders.ts'
import { PositionBooks } from '../position-books.ts'
import { Quoter } from '../quoting/quoter.ts'
import type { StrategyRisk } from '../risk/strategy-risk.ts'
import { EngineMarketView } from './engine-market-view.ts'
import type { StrategyClock } from './strategy-clock.ts'

/** Number of orders that an operator's close sends after fills of pending entries, which avoids endless requests. */
const MOST_CLOSING_TRIES = 10

/** Parts of a market trader. */
export interface MarketTraderOptions {
  readonly bot: string
  readonly ledger: Ledger
  /** Name of the strategy. */
  readonly strategy: string
  /** The strategy's role name of the instrument; `undefined` for its own. */
  readonly role: string | undefined
  readonly symbol: string
  /** The position that it trades; see `bookNames`. */
  readonly book: string
  /** Size of signals that name none. */
  readonly size: Size
  readonly risk: StrategyRisk
  readonly clock: StrategyClock
  /** Leaves market entries and targets unsized until an opening is seen. */
  readonly sizesAtOpen: boolean
  /** See `UnfinishedExitsOptions`. */
  readonly exitsAtOnce: number | undefined
}

/** State of one strategy on one instrument that it trades, as plain data. */
export interface MarketTraderState {
  /** The book that it trades. */
  readonly book: string
  /** Latest price; NaN before the first. */
  readonly price: number
  /** Latest close; absent before the first, and in snapshots of older versions. */
  readonly close?: EngineMarketView['close']
  /** Orders that an operator's close may still send for what pending entries open. */
  readonly closingTries: number
  /** In snapshots of older versions: true if the exchange refused the latest of them. */
  readonly isClosingRefused?: true
  /** Exits at market that are sent again until they have traded; absent without any, and in snapshots of older versions. */
  readonly unfinishedExits?: readonly UnfinishedExit[]
  /** Reason of that close, a sentence; absent without one, and in snapshots of older versions. */
  readonly closingReason?: string | undefined
  /** State of the order placer; stored in journals under this key. */
  readonly orderDesk: OrderPlacerState
  readonly decisions: SignalExecutorState
  readonly brackets: readonly BracketState[]
  /** Present if a position is held and a price was seen since. */
  readonly bests?: BestPricesState
  readonly lifetimes: readonly ExpiringOrder[]
  /** First filled entry of each group (OCO). */
  readonly groups: readonly (readonly [group: string, clientOrderId: string])[]
}

/** One strategy's trading of one instrument: turns signals into orders, and keeps its positions protected. */
export class MarketTrader {
  /** Name of the strategy. */
  readonly strategy: string
  readonly role: string | undefined
  readonly symbol: string
  readonly book: string
  /** Books of the position: that book, or two with its name as prefix. */
  readonly books: PositionBooks
  readonly view: EngineMarketView
  readonly #instrument: Instrument
  readonly #ledger: Ledger
  readonly #clock: StrategyClock
  readonly #orderPlacer: OrderPlacer
  /** The best prices since its entries. */
  readonly bests: BestPrices
  readonly #brackets: Brackets
  readonly #orders: WorkingOrders
  readonly #decisions: SignalExecutor
  readonly #lifetimes = new OrderExpiry()
  readonly #groups = new OcoFills()
  readonly #unfinished: UnfinishedExits
  /** Orders that an operator's close may still send for what pending entries open; 0 without a request. */
  #closingTries = 0
  #closingReason: string | undefined

  constructor(options: MarketTraderOptions) {
    const { bot, ledger, strategy, role, symbol, book, size, risk, clock, sizesAtOpen, exitsAtOnce } = options
    this.strategy = strategy
    this.role = role
    this.symbol = symbol
    this.book = book
    this.#ledger = ledger
    this.#clock = clock
    const instrument = ledger.instrument(symbol)
    this.#instrument = instrument
    const books = new PositionBooks(instrument, book)
    this.books = books
    const hasExpired = (clientOrderId: string) => this.#lifetimes.hasEnded(clientOrderId)
    this.view = new EngineMarketView(instrument, books, ledger, role, hasExpired)
    const orderPlacer = new OrderPlacer({
      ...{ bot, strategy, instrument, book, ledger, books, risk },
      lifetimes: this.#lifetimes,
    })
    this.#orderPlacer = orderPlacer
    this.bests = new BestPrices(instrument, books, ledger)
    this.#brackets = new Brackets(instrument, books, ledger, this.bests, {
      place: (leg, entry, held, out) =>
        orderPlacer.place(this.#legWish(leg, entry, held), out)?.clientOrderId,
      isApproved: (leg, entry, held, out) => orderPlacer.isApproved(this.#legWish(leg, entry, held), out),
    })
    const orders = new WorkingOrders(ledger, books)
    this.#orders = orders
    const timeLeft = (id: string) => this.#lifetimes.left(id, orderPlacer.decision)
    const unfinished = new UnfinishedExits({
      ...{ instrument, ledger, orders, orderPlacer, atOnce: exitsAtOnce },
      isHalted: () => risk.mode === 'halted',
      onSentAgain: (before, next) => this.#decisions.goOnWaiting(before, next),
      onGivenUp: (clientOrderId, out) => this.#decisions.releaseAfter(clientOrderId, out),
    })
    this.#unfinished = unfinished
    const exits = new Exits(instrument, books, ledger, orders, orderPlacer, unfinished)
    this.#decisions = new SignalExecutor({
      ...{ symbol, books, orders, orderPlacer, exits, unfinished, lifetimes: this.#lifetimes, sizesAtOpen },
      excessExits: mayGo => excessExits({ instrument, books, ledger, orders, unfinished, timeLeft }, mayGo),
      paysFromFree: rulesOf(instrument).boundBy === 'balance',
      translator: new SignalTranslator(instrument, books, ledger, orders, orderPlacer, exits, size),
      quotes: new Quoter({ instrument, books, ledger, orders, unfinished, orderPlacer }),
      onEntry: request => this.#brackets.attach(request),
      onProtect: (signal, out) => {
        this.bests.observePrice(this.view.price)
        this.#brackets.change(signal, out)
      },
    })
  }

  /** Explains each order from now on; `undefined` ends that. */
  explainTo(explain: Explain | undefined): void {
    this.#orderPlacer.explainTo(explain)
  }

  /** Positions, orders at market under way, and money, for the explanation of a decision. */
  get standing(): Pick<KlineDecided, 'held' | 'entering' | 'isLeaving' | 'equity' | 'free'> {
    const { all } = this.books
    const held = all.flatMap(book => this.#ledger.position(book) ?? [])
    return {
      held: held.map(({ direction, quantity }) => ({ direction, quantity })),
      entering: (['long', 'short'] as const).filter(one => this.#orders.marketEntries(one).length > 0),
      isLeaving:
        this.#unfinished.all.length > 0 || all.some(book => this.#orders.marketExits(book).length > 0),
      ...this.#orderPlacer.money,
    }
  }

  /** Names orders from now on as those of a session. */
  nameSession(session: SessionIdentity): void {
    this.#orderPlacer.nameSession(session)
  }

  /** Sets time, price and number of klines for the next decision. */
  observe(): void {
    this.#orderPlacer.observe(this.#clock.time, this.view.price, this.#clock.klines)
  }

  /** Reason that its account cannot execute a signal, as a sentence. */
  problemOf(signal: Signal<string>): string | undefined {
    return this.#decisions.problemOf(signal)
  }

  /** True if a signal differs from the previous one. */
  isNews(signal: Signal<string>): boolean {
    return this.#decisions.isNews(signal)
  }

  trade(signals: readonly Signal[], out: EngineOutput[]): void {
    this.observe()
    this.#decisions.execute(signals, out)
    this.#decisions.fitExits(out)
  }

  /** True if nothing is due at a close: no order can expire, and none that was refused is to be sent again. */
  get isTimeless(): boolean {
    return this.#lifetimes.isEmpty && !this.awaitsRetry
  }

  /** True if the exchange refused protection, or did not complete an exit at market, which are to be sent again now that no hold denies them. */
  get awaitsRetry(): boolean {
    return this.#brackets.isWaiting || this.#unfinished.areWaiting
  }

  /** Exits at market that the exchange did not complete, and that go on. */
  get unfinishedExits(): readonly UnfinishedExit[] {
    return this.#unfinished.all
  }

  /** True while an exit at market of a book that trades on a side is not over. */
  isExiting(book: string, side: Side): boolean {
    return this.#unfinished.has(book, side) || this.#hasMarketExit(book, side)
  }

  /** The same of any of its books, but for exits that a rule of the bot denies: they may wait for long, and trade with nothing meanwhile. */
  isTradingOut(side: Side): boolean {
    return this.books.all.some(
      book => this.#unfinished.isSending(book, side) || this.#hasMarketExit(book, side),
    )
  }

  /** Protective orders of open positions that are less than an order may be. */
  get tooSmallProtection(): readonly TooSmallProtection[] {
    return this.#brackets.tooSmall
  }

  /** Protective orders of open positions that work, or wait for a retry. */
  get wantedProtection(): readonly WantedProtection[] {
    return this.#brackets.wanted
  }

  /** True while the closing that an operator asked for goes on. */
  get isClosing(): boolean {
    return this.#closingTries > 0 || this.#unfinished.areOfOperator
  }

  /** Reason of that closing, a sentence; `undefined` without one. */
  get closingReason(): string | undefined {
    return this.isClosing ? this.#closingReason : undefined
  }

  /** Sends again what the exchange has refused; of exits only those of a purpose, if given. */
  retry(out: EngineOutput[], purpose?: ExitPurpose): void {
    if (!this.awaitsRetry) return
    this.observe()
    this.#brackets.retry(out)
    this.#unfinished.retry(out, purpose)
    this.#decisions.fitExits(out)
  }

  /** Sends again the exits of the strategy that wait for it; call it after the strategy has decided, which may take them back. */
  retryExits(out: EngineOutput[]): void {
    if (!this.#unfinished.areWaiting) return
    this.observe()
    this.#unfinished.retry(out, 'exit')
    this.#decisions.fitExits(out)
  }

  /** Cancels orders with an expired time to live, and sends again what the exchange has refused. */
  expire(out: EngineOutput[]): void {
    this.retry(out, 'operator')
    const { orders } = this.#ledger
    const over = this.#lifetimes.end(this.#clock.klines, this.#clock.time, id => {
      const order = orders.get(id)
      return order !== undefined && isWorking(order.status)
    })
    this.#decisions.expire(over, out)
  }

  /**
   * Sizes and places the market entries and targets that wait for an opening price (quote per base); `again`
   * as in `OpeningSeen`.
   */
  observeOpening(price: number, again: boolean, out: EngineOutput[]): void {
    this.view.price = price
    this.observe()
    this.#decisions.observeOpening(again, out)
    this.#decisions.fitExits(out)
  }

  /** After the booking of a fill: protects the position. */
  afterFill(fill: Fill, order: Order, out: EngineOutput[]): void {
    this.view.price = priceOf(this.#instrument, fill.price)
    this.observe()
    this.#brackets.sync(out)
    if (order.request.terms?.oco !== undefined) this.#settleGroup(fill, order.request, out)
    this.#decisions.cancelIdleExits(out)
    if (order.status === 'filled') this.#unfinished.end(order, out)
    else this.#unfinished.fill(order, fill, out)
    this.#unfinished.fit(out)
    // A closing that was refused because others had closed a part of the position fits now.
    if (order.request.purpose === 'outsideClose') this.#unfinished.retry(out, 'operator')
    this.#decisions.release(order, out)
    // A netting entry leaves exits unchanged: none of them exceeds the position.
    if (order.request.purpose !== 'entry') this.#decisions.fitExits(out)
    this.#goOnClosing(order, out)
  }

  /** After another change of an order, `isEnd` if it has just stopped working: releases signals that waited for it. */
  afterUpdate(order: Order, isEnd: boolean, out: EngineOutput[]): void {
    this.observe()
    if (!isWorking(order.status)) this.#brackets.sync(out)
    const goesOn = isEnd && this.#unfinished.end(order, out)
    if (!goesOn) this.#decisions.release(order, out)
    if (isWorking(order.status)) return
    this.#decisions.fitExits(out)
    this.#goOnClosing(order, out)
  }

  /** Cancels entries and exits that rest, and closes the position at market. */
  flatten(purpose: Purpose, out: EngineOutput[]): void {
    this.observe()
    this.#decisions.flatten(purpose, out)
  }

  /** The order of a liquidation; it is the exchange's, so that no check can deny it. */
  liquidate(liquidation: Liquidation): OrderRequest {
    this.view.price = priceOf(this.#instrument, liquidation.price)
    this.observe()
    return this.#orderPlacer.liquidate(liquidation)
  }

  /** Flattens for the operator or the end of a run (`reason`: a sentence), and repeats until flat: pending orders may still fill. */
  close(reason: string, out: EngineOutput[]): void {
    this.#closingReason = reason
    this.#closingTries = MOST_CLOSING_TRIES
    this.observe()
    this.#decisions.flatten('operator', out)
    this.#endIdleClosing()
  }

  /** Cancels resting and waiting entries. */
  cancelEntries(out: EngineOutput[]): void {
    this.#decisions.cancelEntries(out)
  }

  snapshot(): MarketTraderState {
    const bests = this.bests.snapshot()
    const unfinishedExits = this.#unfinished.snapshot()
    const { price, close } = this.view
    return {
      book: this.book,
      price,
      ...(!Number.isNaN(close.time) && { close }),
      closingTries: this.#closingTries,
      ...(unfinishedExits.length > 0 && { unfinishedExits }),
      ...(this.closingReason !== undefined && { closingReason: this.closingReason }),
      orderDesk: this.#orderPlacer.snapshot(),
      decisions: this.#decisions.snapshot(),
      brackets: this.#brackets.snapshot(),
      ...(bests.length > 0 && { bests }),
      lifetimes: this.#lifetimes.snapshot(),
      groups: this.#groups.snapshot(),
    }
  }

  /**
   * Restores a snapshot; `isSame` if its strategy continues as well, so that its waiting signals are still
   * valid.
   */
  restore(state: MarketTraderState, isSame: boolean): void {
    if (state.close !== undefined) this.view.observeClose(state.close.price, state.close.time)
    this.view.price = state.price
    this.#orderPlacer.restore(state.orderDesk)
    this.#brackets.restore(state.brackets)
    this.bests.restore(state.bests ?? [])
    this.#lifetimes.restore(state.lifetimes)
    this.#groups.restore(state.groups)
    this.#closingTries = state.closingTries
    this.#closingReason = state.closingReason
    const { unfinishedExits = [] } = state
    this.#unfinished.restore(unfinishedExits.filter(({ purpose }) => isSame || purpose === 'operator'))
    if (state.isClosingRefused) for (const book of this.books.all) this.#unfinished.adopt(book)
    if (isSame) this.#decisions.restore(state.decisions)
  }

  /** Goes on closing for the operator after an event of an order. */
  #goOnClosing({ request }: Order, out: EngineOutput[]): void {
    if (this.#closingTries === 0) return
    if (this.#decisions.isFlat) {
      this.#closingTries = 0
      return
    }
    const position = this.#ledger.position(bookOf(request))
    // `UnfinishedExits` sends the rest of the operator's own orders again. A position that they have turned round is closed here.
    if (request.purpose === 'operator' && position && exitSideOf(position.direction) === request.side) {
      this.#endIdleClosing()
      return
    }
    const before = out.length
    this.#decisions.closeRest('operator', out)
    if (out.length > before) this.#closingTries--
    this.#endIdleClosing()
  }

  /** A closing ends with its last entry or exit: only while one works or is to be sent again is there anything that it could leave or open. */
  #endIdleClosing(): void {
    if (!this.#orders.areEntriesOrExits && !this.#unfinished.areWaiting) this.#closingTries = 0
  }

  #hasMarketExit(book: string, side: Side): boolean {
    return this.#orders.marketExits(book).some(({ request }) => request.side === side)
  }

  #settleGroup(fill: Fill, request: OrderRequest, out: EngineOutput[]): void {
    const first = this.#groups.note(request)
    if (first !== undefined) out.push({ type: 'groupOverfilled', first, fill })
    this.#decisions.settleGroup(request, out)
  }

  #legWish(leg: ProtectiveLeg, entry: ProtectedEntry, held: Steps): UnplacedIntent {
    return {
      book: entry.book,
      side: oppositeOf(entry.side),
      purpose: leg.purpose,
      plan: leg.plan,
      quantity: baseAmount(this.#instrument, held),
      reduceOnly: true,
      protection: undefined,
      protects: entry.clientOrderId,
      terms: undefined,
      tag: entry.tag,
    }
  }
}
