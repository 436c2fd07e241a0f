import { type EngineOutput, isCommand } from '../domain/engine-output.ts'
import type { Fill } from '../domain/fill.ts'
import { baseAmount, priceOf, quantityOf, type Steps } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import type { KlineCursor, KlineSeries } from '../domain/kline-series.ts'
import type { Liquidation } from '../domain/liquidation.ts'
import type { Order } from '../domain/order.ts'
import type { Purpose } from '../domain/order-intent.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { isWorking } from '../domain/order-status.ts'
import { oppositeOf } from '../domain/side.ts'
import type { Signal } from '../domain/signal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { StrategyRun } from '../strategy/define-strategy.ts'
import { signalProblem } from '../strategy/signal-check.ts'
import type { Signals } from '../strategy/signals.ts'
import { StrategyError } from '../strategy/strategy-error.ts'
import { handlerFailure } from '../strategy/strategy-failure.ts'
import { Brackets, type ProtectedEntry } from './brackets.ts'
import { Closings } from './closings.ts'
import { DecisionDesk } from './decision-desk.ts'
import { DeskBooks } from './desk-books.ts'
import type { DeskRisk } from './desk-risk.ts'
import { DeskView, orderView } from './desk-view.ts'
import type { DeskOptions, EngineOptions } from './engine-options.ts'
import type { DeskIdentity, DeskState } from './engine-state.ts'
import { FilledGroups } from './filled-groups.ts'
import { Lifetimes } from './lifetimes.ts'
import { OrderDesk, type UnplacedIntent } from './order-desk.ts'
import { OwnOrders } from './own-orders.ts'
import type { ProtectiveLeg } from './protection-prices.ts'
import { QuoteDesk } from './quote-desk.ts'
import { SignalTranslator } from './signal-translator.ts'

/** So often a closing order that came back is sent again: asking forever helps nobody. */
const MOST_CLOSING_TRIES = 10

/** One strategy on one instrument: shows it events, turns its signals into orders, keeps its positions protected. */
export class Desk {
  readonly symbol: string
  /** The position that it trades; see `bookNames`. */
  readonly book: string
  /** What the position is held in: that book, or two whose names begin with its name. */
  readonly books: DeskBooks
  readonly interval: Interval
  readonly #name: string
  readonly #parameters: string
  readonly #instrument: Instrument
  readonly #view: DeskView
  readonly #run: StrategyRun
  readonly #orderDesk: OrderDesk
  readonly #brackets: Brackets
  readonly #decisions: DecisionDesk
  readonly #ledger: Ledger
  readonly #lifetimes = new Lifetimes()
  readonly #groups = new FilledGroups()
  /** How often it is still tried to close what is held; 0 where nobody wants that. */
  #closingTries = 0
  #klines = 0
  #failed = false

  constructor(
    { bot, ledger, sizingReference }: EngineOptions,
    desk: DeskOptions,
    book: string,
    risk: DeskRisk,
  ) {
    this.symbol = desk.symbol
    this.book = book
    this.interval = desk.interval
    this.#name = desk.strategy.name
    this.#ledger = ledger
    this.#parameters = JSON.stringify(desk.parameters)
    this.#instrument = ledger.instrument(desk.symbol)
    this.books = new DeskBooks(this.#instrument, book)
    this.#view = new DeskView(this.#instrument, this.books, this.interval, ledger)
    this.#run = desk.strategy.start(desk.parameters, this.#view)
    this.#orderDesk = new OrderDesk({
      bot,
      strategy: this.#name,
      instrument: this.#instrument,
      book,
      ledger,
      lifetimes: this.#lifetimes,
      books: this.books,
      risk,
    })
    this.#brackets = new Brackets(this.#instrument, this.books, ledger, {
      place: (leg, entry, held, out) =>
        this.#orderDesk.place(this.#legWish(leg, entry, held), out)?.clientOrderId,
      isApproved: (leg, entry, held, out) => this.#orderDesk.isApproved(this.#legWish(leg, entry, held), out),
    })
    const orders = new OwnOrders(ledger, this.books)
    const [instrument, books, orderDesk] = [this.#instrument, this.books, this.#orderDesk]
    const closings = new Closings(instrument, books, ledger, orders, orderDesk)
    this.#decisions = new DecisionDesk({
      symbol: this.symbol,
      orders,
      orderDesk,
      translator: new SignalTranslator(instrument, books, ledger, orders, orderDesk, closings, desk.size),
      closings,
      quotes: new QuoteDesk({ instrument, books, ledger, orders, orderDesk }),
      sizesAtOpen: sizingReference === 'nextOpen',
      onEntry: request => this.#brackets.attach(request),
      onProtect: (signal, out) => this.#brackets.change(signal, this.#view.price, out),
    })
  }

  /** Klines to see before the first decision. */
  get warmUp(): number {
    return this.#run.warmUp
  }

  get identity(): DeskIdentity {
    return {
      strategy: this.#name,
      symbol: this.symbol,
      book: this.book,
      interval: this.interval,
      parameters: this.#parameters,
    }
  }

  /** Tells the indicators which klines come next: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void {
    this.#run.announce(klines, from, to)
  }

  /** Feeds the indicators with a kline. */
  seeHistory(kline: Kline): void {
    this.#run.update(kline)
    this.#klines++
    this.#view.price = kline.close
  }

  /** Shows the strategy a closed kline; `undefined` when nothing follows. */
  closeKline(kline: Kline): EngineOutput[] | undefined {
    this.seeHistory(kline)
    const expired = this.#lifetimes.isEmpty ? undefined : this.#expire(kline)
    if (this.#klines <= this.#run.warmUp || this.#failed) return expired
    this.#view.advance(closeTimeOf(kline.openTime, this.interval))
    const signals = this.#run.onKline(kline)
    if (signals === undefined) return expired
    const out: EngineOutput[] = expired ?? []
    this.#decide(signals, out)
    return out
  }

  /** Whether the next kline is the strategy's alone: it is asked, and no order can expire. */
  get isDeciding(): boolean {
    return this.#klines >= this.#run.warmUp && !this.#failed && this.#lifetimes.isEmpty
  }

  /** Shows a deciding strategy closed klines, up to the first that a command follows from or the row before `to`. */
  closeKlines(cursor: KlineCursor, to: number, out: EngineOutput[]): void {
    for (let told = 0; cursor.next < to && !hasCommand(out, told); ) {
      told = out.length
      this.#decide(this.#askOnKlines(cursor, to), out)
    }
  }

  /** Sizes and places the market entries that wait for an opening price (quote per base). */
  seeOpening(price: number, time: number): EngineOutput[] {
    this.#view.price = price
    this.#observe(time)
    const out: EngineOutput[] = []
    this.#decisions.seeOpening(out)
    return out
  }

  /** After a fill was booked: protects what is held and tells the strategy. */
  afterFill(fill: Fill, order: Order, out: EngineOutput[]): void {
    this.#view.price = priceOf(this.#instrument, fill.price)
    this.#observe(fill.time)
    this.#brackets.sync(out)
    if (order.request.terms?.oco !== undefined) this.#settleGroup(fill, order.request, out)
    this.#decisions.cancelIdleExits(out)
    this.#decisions.release(order, out)
    this.#goOnClosing(out)
    const { onFill } = this.#run
    if (onFill === undefined || this.#failed) return
    const view = {
      clientOrderId: fill.clientOrderId,
      side: fill.side,
      purpose: order.request.purpose,
      price: this.#view.price,
      quantity: quantityOf(this.#instrument, fill.quantity),
      tag: order.request.tag,
      time: fill.time,
    }
    this.#decide(onFill(view), out)
  }

  /** After another change of an order: releases what waited for it and tells the strategy. */
  afterUpdate(order: Order, time: number, out: EngineOutput[]): void {
    this.#observe(time)
    if (!isWorking(order.status)) this.#brackets.sync(out)
    this.#decisions.release(order, out)
    if (!isWorking(order.status)) this.#goOnClosing(out)
    const { onOrder } = this.#run
    if (onOrder === undefined || this.#failed) return
    this.#decide(onOrder(orderView(this.#instrument, order)), out)
  }

  /** Cancels entries and exits that rest, and closes the position at market. */
  flatten(purpose: Purpose, time: number, out: EngineOutput[]): void {
    this.#observe(time)
    this.#decisions.flatten(purpose, out)
  }

  /** The order of a position that the exchange takes over; it is not ours, so that no check can deny it. */
  takeOver(liquidation: Liquidation, time: number): OrderRequest {
    this.#view.price = priceOf(this.#instrument, liquidation.price)
    this.#observe(time)
    return this.#orderDesk.takeOver(liquidation)
  }

  /** The same for somebody above the strategies, and goes on until nothing is held: what was on its way may still fill. */
  close(time: number, out: EngineOutput[]): void {
    this.#closingTries = MOST_CLOSING_TRIES
    this.#observe(time)
    this.#decisions.flatten('operator', out)
  }

  /** Takes back entries that rest or wait. */
  cancelEntries(out: EngineOutput[]): void {
    this.#decisions.cancelEntries(out)
  }

  /** Stops asking the strategy; its resting entries are canceled, its protective orders stay. */
  disable(out: EngineOutput[]): void {
    this.#failed = true
    this.#decisions.cancelEntries(out)
  }

  #goOnClosing(out: EngineOutput[]): void {
    if (this.#closingTries === 0) return
    if (this.#decisions.isFlat) {
      this.#closingTries = 0
      return
    }
    const before = out.length
    this.#decisions.closeRest('operator', out)
    if (out.length > before) this.#closingTries--
  }

  /** Asks the strategy again, whatever stopped that: somebody has started the bot anew. */
  enable(): void {
    this.#failed = false
  }

  /** Everything but the indicators. */
  snapshot(): DeskState {
    return {
      ...this.identity,
      time: this.#view.time,
      price: this.#view.price,
      klines: this.#klines,
      failed: this.#failed,
      closingTries: this.#closingTries,
      memory: this.#run.memory,
      orderDesk: this.#orderDesk.snapshot(),
      decisions: this.#decisions.snapshot(),
      brackets: this.#brackets.snapshot(),
      lifetimes: this.#lifetimes.snapshot(),
      groups: this.#groups.snapshot(),
    }
  }

  /**
   * Takes over a snapshot, and feeds the indicators with the klines seen until then. From another strategy, or one with
   * other parameters, come only its orders and what they protect.
   */
  restore(state: DeskState, klines: Iterable<Kline>): void {
    for (const kline of klines) this.#feedAgain(kline)
    this.#view.advance(state.time)
    this.#view.price = state.price
    this.#orderDesk.restore(state.orderDesk)
    this.#brackets.restore(state.brackets)
    this.#lifetimes.restore(state.lifetimes)
    this.#groups.restore(state.groups)
    this.#closingTries = state.closingTries
    if (!isSame(state, this.identity)) return
    this.#klines = state.klines
    this.#failed = state.failed
    this.#run.memory = state.memory
    this.#decisions.restore(state.decisions)
  }

  /** An indicator that threw on a kline throws on it again; that was dealt with at the time. */
  #feedAgain(kline: Kline): void {
    try {
      this.seeHistory(kline)
    } catch (error) {
      if (!(error instanceof StrategyError)) throw error
    }
  }

  #observe(time: number): void {
    this.#view.advance(time)
    this.#orderDesk.observe(this.#view.time, this.#view.price, this.#klines)
  }

  #decide(signals: Signals, out: EngineOutput[]): void {
    if (signals === undefined) return
    const list: readonly Signal[] = isList(signals) ? signals : [signals]
    for (const signal of list) {
      const problem = signalProblem(signal) ?? this.#decisions.problemOf(signal)
      if (problem !== undefined)
        throw handlerFailure(this.#name, this.#view, `returned a wrong signal. ${problem}`)
    }
    const { time, price } = this.#view
    this.#orderDesk.observe(time, price, this.#klines)
    for (const signal of list) {
      if (this.#decisions.isNews(signal))
        out.push({ type: 'signaled', strategy: this.#name, symbol: this.symbol, signal, time })
    }
    this.#decisions.carryOut(list, out)
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

  /** Takes back the orders whose time to live is over; `undefined` where there are none. */
  #expire({ openTime }: Kline): EngineOutput[] | undefined {
    this.#view.advance(closeTimeOf(openTime, this.interval))
    const { orders } = this.#ledger
    const over = this.#lifetimes.over(this.#klines, this.#view.time, id => {
      const order = orders.get(id)
      return order !== undefined && isWorking(order.status)
    })
    if (over.length === 0) return undefined
    const out: EngineOutput[] = []
    this.#decisions.expire(over, out)
    return out
  }

  #settleGroup(fill: Fill, request: OrderRequest, out: EngineOutput[]): void {
    const first = this.#groups.note(request)
    if (first !== undefined) out.push({ type: 'groupOverfilled', first, fill })
    this.#decisions.settleGroup(request, out)
  }

  #askOnKlines(cursor: KlineCursor, to: number): Signals {
    const from = cursor.next
    this.#view.follow(cursor)
    try {
      return this.#run.onKlines(cursor, to)
    } finally {
      this.#klines += cursor.next - from
      this.#view.settle()
    }
  }
}

function isSame(one: DeskIdentity, other: DeskIdentity): boolean {
  return (
    one.strategy === other.strategy &&
    one.symbol === other.symbol &&
    one.interval === other.interval &&
    one.parameters === other.parameters
  )
}

function isList(signals: Signal | readonly Signal[]): signals is readonly Signal[] {
  return Array.isArray(signals)
}

function hasCommand(outputs: readonly EngineOutput[], from: number): boolean {
  for (let index = from; index < outputs.length; index++) {
    const output = outputs[index]
    if (output !== undefined && isCommand(output)) return true
  }
  return false
}
