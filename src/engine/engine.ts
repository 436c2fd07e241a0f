import { bookNames, bookOf } from '../domain/book-names.ts'
import type {
  BalancesReported,
  EngineEvent,
  Filled,
  FundingPaid,
  KlineClosed,
  Liquidated,
  OrderUpdated,
} from '../domain/engine-event.ts'
import type { EngineOutput } from '../domain/engine-output.ts'
import type { Fill } from '../domain/fill.ts'
import { priceOf } from '../domain/grid.ts'
import { closeTimeOf, type Interval } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../domain/kline-series.ts'
import { InvariantError, UsageError } from '../domain/sluice-error.ts'
import type { TradingCommanded } from '../domain/trading-event.ts'
import type { TradingScope } from '../domain/trading-hold.ts'
import type { Ledger, LedgerState } from '../ledger/ledger.ts'
import { StrategyError } from '../strategy/strategy-error.ts'
import { Desk } from './desk.ts'
import type { EngineOptions } from './engine-options.ts'
import { EngineRisk } from './engine-risk.ts'
import { ENGINE_STATE_VERSION, type EngineState, type SeenKlines } from './engine-state.ts'

/** What closing klines one after another came to. */
export interface ClosedKlines {
  /** The row after the last that was closed. */
  readonly next: number
  /** What followed from them, in order; commands only from the last. */
  readonly outputs: readonly EngineOutput[]
}

const NOTHING: readonly EngineOutput[] = []

/**
 * Events in, commands out: synchronous, deterministic, without a clock. The same events in the same order always
 * give the same outputs, live and in a backtest.
 */
export class Engine {
  readonly ledger: Ledger
  readonly risk: EngineRisk
  readonly #desks: readonly Desk[]
  readonly #byBook: ReadonlyMap<string, Desk>
  readonly #sharesAccount: boolean
  /** Most events are about the desk of the event before. */
  #latestDesk: Desk | undefined

  /** Throws `UsageError` for parameters that a strategy cannot use, and for risk rules that do not fit the desks. */
  constructor(options: EngineOptions) {
    this.ledger = options.ledger
    const books = bookNames(options.desks)
    this.risk = new EngineRisk(options, (scope, out) => this.#cancelEntries(scope, out))
    this.#desks = options.desks.map(
      (desk, index) => new Desk(options, desk, books[index] ?? desk.symbol, this.risk.deskRisk(index)),
    )
    this.#byBook = new Map(
      this.#desks.flatMap(desk => [desk.book, ...desk.books.all].map(book => [book, desk])),
    )
    this.#sharesAccount = this.#desks.length > 1
  }

  /** Who trades what, in which book, in the order of their declaration. */
  get desks(): readonly Pick<Desk, 'book' | 'books' | 'symbol' | 'interval'>[] {
    return this.#desks
  }

  /** Klines to see of a stream before the first decision of everybody who follows it. */
  warmUpOf(symbol: string, interval: Interval): number {
    return Math.max(...this.#followers(symbol, interval).map(({ warmUp }) => warmUp))
  }

  /**
   * Tells the indicators of a book's strategy which klines will be closed next (rows `from` to `to - 1`), so that they can
   * compute them in one go. A replay may say so for speed; nothing that follows from an event changes by it.
   */
  announce(book: string, klines: KlineSeries, from: number, to: number): void {
    this.#desk(book).announce(klines, from, to)
  }

  /** Takes one event and returns what follows from it: commands to carry out, notices to report. */
  process(event: EngineEvent): readonly EngineOutput[] {
    switch (event.type) {
      case 'klineClosed':
        return this.#closeForAll(event)
      case 'historySeen':
        this.#mark(event.symbol, event.kline)
        for (const desk of this.#followers(event.symbol, event.interval)) desk.seeHistory(event.kline)
        return NOTHING
      case 'filled':
        return this.#fill(event)
      case 'orderUpdated':
        return this.#update(event)
      case 'balancesReported':
        return this.#takeBalances(event)
      case 'openingSeen': {
        const price = priceOf(this.ledger.instrument(event.symbol), event.price)
        return this.#meant(event).flatMap(desk => desk.seeOpening(price, event.time))
      }
      case 'flattenRequested': {
        const out: EngineOutput[] = []
        for (const desk of this.#meant(event)) desk.flatten(event.purpose, event.time, out)
        return out
      }
      case 'markPriceSeen':
        this.ledger.markContract(this.ledger.instrument(event.symbol), event.price)
        return NOTHING
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
        for (const desk of this.#meant({ symbol })) desk.disable(out)
        return out
      }
      default: {
        const out: EngineOutput[] = []
        this.#endHolds(event.time, out)
        this.risk.take(event, out)
        if (event.type === 'tradingCommanded') this.#closeAll(event, out)
        return out
      }
    }
  }

  /**
   * Closes the klines of the rows `from` to `to - 1` for one book, each as `process` would if nobody else followed them, up
   * to the first that leads to a command. A replay whose orders all rest elsewhere goes through quiet stretches in this one loop.
   */
  closeKlines(book: string, klines: KlineSeries, from: number, to: number): ClosedKlines {
    const desk = this.#desk(book)
    const cursor: KlineCursor = { klines, next: from }
    while (cursor.next < to) {
      const outputs =
        this.#sharesAccount || this.#isWatched || !desk.isDeciding
          ? this.#close(desk, new KlineRow(klines, cursor.next++))
          : this.#closeDecided(desk, cursor, to)
      if (outputs.length > 0) return { next: cursor.next, outputs }
    }
    return { next: to, outputs: NOTHING }
  }

  /** Everything that later outputs depend on, besides the klines seen; plain data. Nothing of it may be changed. */
  snapshot(): EngineState {
    const desks = this.#desks.map(desk => desk.snapshot())
    const [ledger, risk] = [this.ledger.snapshot(), this.risk.snapshot()]
    return { version: ENGINE_STATE_VERSION, ledger, risk, desks }
  }

  /**
   * Takes over a snapshot; only of use to an engine that has processed nothing. From then on, it gives what the engine of
   * the snapshot gives, whose klines are given besides. Throws `UsageError` where the snapshot has an open position or order
   * that nobody here trades.
   */
  restore({ ledger, risk, desks }: EngineState, klinesOf: SeenKlines): void {
    const orphan = booksInUse(ledger).find(book => !this.#byBook.has(book))
    if (orphan !== undefined) throw withoutDesk(orphan)
    this.ledger.restore(ledger)
    this.risk.restore(risk)
    for (const desk of this.#desks) {
      const state = desks.find(({ book }) => book === desk.book)
      if (state !== undefined) desk.restore(state, klinesOf(desk.symbol, desk.interval))
    }
  }

  /** Somebody has started the bot anew: strategies that were stopped are asked again. */
  beginSession(): void {
    for (const desk of this.#desks) desk.enable()
  }

  #closeDecided(desk: Desk, cursor: KlineCursor, to: number): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    try {
      desk.closeKlines(cursor, to, out)
    } catch (error) {
      this.#disable(desk, error, out)
    }
    return out
  }

  /** Closes one kline for one book. */
  closeKline(book: string, kline: Kline): readonly EngineOutput[] {
    return this.#close(this.#desk(book), kline)
  }

  /** All decide on a kline as it is, and what one decides counts for the next: it may use the same money. */
  #closeForAll({ symbol, interval, kline }: KlineClosed): readonly EngineOutput[] {
    const [first, ...others] = this.#followers(symbol, interval)
    if (first === undefined) return NOTHING
    if (others.length === 0) return this.#close(first, kline)
    return [first, ...others].flatMap(desk => this.#close(desk, kline))
  }

  #close(desk: Desk, kline: Kline): readonly EngineOutput[] {
    this.#mark(desk.symbol, kline)
    const before = this.#isWatched ? this.#watch(desk, kline) : NOTHING
    try {
      const outputs = desk.closeKline(kline) ?? NOTHING
      return before.length === 0 ? outputs : [...before, ...outputs]
    } catch (error) {
      const out: EngineOutput[] = [...before]
      this.#disable(desk, error, out)
      return out
    }
  }

  /** Whether a kline can change what holds trading back. */
  get #isWatched(): boolean {
    return this.risk.isWatching || this.risk.nextEnd !== Number.POSITIVE_INFINITY
  }

  /** What holds trading back from a kline's close on: settled before anybody decides on it. */
  #watch(desk: Desk, kline: Kline): readonly EngineOutput[] {
    const out: EngineOutput[] = []
    const time = closeTimeOf(kline.openTime, desk.interval)
    this.#endHolds(time, out)
    if (this.risk.isWatching) {
      this.ledger.seeClose(desk.symbol, kline.close)
      this.risk.mark(desk.symbol, time, out)
    }
    return out
  }

  #endHolds(time: number, out: EngineOutput[]): void {
    if (time >= this.risk.nextEnd) this.risk.end(time, out)
  }

  #cancelEntries({ symbol, book }: TradingScope, out: EngineOutput[]): void {
    for (const desk of this.#desks) {
      if (symbol !== undefined && desk.symbol !== symbol) continue
      if (book === undefined || desk.book === book) desk.cancelEntries(out)
    }
  }

  /** Closes what a command wants closed. */
  #closeAll({ command, symbol, time }: TradingCommanded, out: EngineOutput[]): void {
    if (command !== 'flatten' && command !== 'kill') return
    for (const desk of this.#desks) {
      if (symbol === undefined || desk.symbol === symbol) desk.close(time, out)
    }
  }

  /** Shows other desks what an instrument is worth now, for they share the account; a lone desk marks its own when it asks. */
  #mark(symbol: string, kline: Kline): void {
    if (this.#sharesAccount) this.ledger.seeClose(symbol, kline.close)
  }

  #fill({ fill }: Filled): readonly EngineOutput[] {
    const booking = this.ledger.book(fill)
    if (booking === undefined) return NOTHING
    const out: EngineOutput[] = [{ type: 'fillBooked', fill, order: booking.order }]
    for (const roundTrip of booking.roundTrips) out.push({ type: 'roundTripClosed', roundTrip })
    this.#endHolds(fill.time, out)
    if (this.risk.isWatching) this.risk.book(fill, booking, out)
    const desk = this.#desk(bookOf(booking.order.request))
    try {
      desk.afterFill(fill, booking.order, out)
    } catch (error) {
      this.#disable(desk, error, out)
    }
    return out
  }

  /** Books what the exchange took over. With all cross positions goes the money that orders would need, so that entries go as well. */
  #liquidate({ liquidation, fillId, time }: Liquidated): readonly EngineOutput[] {
    const { symbol, book, price, quantity, fee } = liquidation
    const { quote, futures } = this.ledger.instrument(symbol)
    const { clientOrderId, side } = this.#desk(book).takeOver(liquidation, time)
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
    for (const desk of this.#desks) {
      if (this.ledger.instrument(desk.symbol).futures !== undefined) desk.cancelEntries(out)
    }
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
    this.#endHolds(time, out)
    const desk = this.#desk(bookOf(order.request))
    try {
      desk.afterUpdate(order, time, out)
    } catch (error) {
      this.#disable(desk, error, out)
    }
    return out
  }

  /** A strategy that threw decides nothing more; anything else that was thrown goes on up. */
  #disable(desk: Desk, error: unknown, out: EngineOutput[]): void {
    if (!(error instanceof StrategyError)) throw error
    out.push({ type: 'strategyFailed', symbol: desk.symbol, book: desk.book, error })
    desk.disable(out)
  }

  #desk(book: string): Desk {
    if (this.#latestDesk?.book === book) return this.#latestDesk
    const desk = this.#byBook.get(book)
    if (desk === undefined) throw new InvariantError(`No strategy trades in the book ${book}.`)
    this.#latestDesk = desk
    return desk
  }

  /** The desks that an event means: that of a book, or all of a symbol. */
  #meant({ symbol, book }: { readonly symbol: string; readonly book?: string }): readonly Desk[] {
    return book === undefined ? this.#desks.filter(desk => desk.symbol === symbol) : [this.#desk(book)]
  }

  /** The desks that follow the klines of a stream, in the order of their declaration. */
  #followers(symbol: string, interval: Interval): readonly Desk[] {
    const found = this.#desks.filter(desk => desk.symbol === symbol && desk.interval === interval)
    if (found.length === 0)
      throw new InvariantError(`No strategy follows the ${interval} klines of ${symbol}.`)
    return found
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

function withoutDesk(book: string): UsageError {
  return new UsageError(
    `There is an open position or order of ${book}, but no strategy trades it any more; put its strategy back, or stop the bot once with "onStop: flatten" before changing that.`,
  )
}
