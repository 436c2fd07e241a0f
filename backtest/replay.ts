import { bookOf, wholeBook } from '../src/domain/book-names.ts'
import { type Cancellation, cancellationFor } from '../src/domain/cancel-cause.ts'
import type { EngineEvent } from '../src/domain/engine-event.ts'
import type { CancelOrder, EngineOutput, Notice } from '../src/domain/engine-output.ts'
import { roundToTicks } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../src/domain/interval.ts'
import type { Kline } from '../src/domain/kline.ts'
import { KlineRow, type KlineSeries } from '../src/domain/kline-series.ts'
import type { Liquidation } from '../src/domain/liquidation.ts'
import type { Purpose } from '../src/domain/order-intent.ts'
import type { OrderRequest } from '../src/domain/order-request.ts'
import { isWorking } from '../src/domain/order-status.ts'
import type { RoundTrip } from '../src/domain/round-trip.ts'
import type { Engine } from '../src/engine/engine.ts'
import type { SizingReference } from '../src/engine/engine-options.ts'
import { type DetailKlines, detailOf } from './detail-klines.ts'
import { FillBooker, type FillNumbers } from './fill-booker.ts'
import type { FillSettings } from './fill-settings.ts'
import { ContractWatch } from './futures/contract-watch.ts'
import type { FuturesData } from './futures/futures-data.ts'
import { KlineFillModel } from './kline-fill-model.ts'
import type { ModelFill } from './model-fill.ts'
import type { SimulatedFill } from './simulated-fill.ts'
import type { KnownTop } from './ticks/known-top.ts'

/** Klines that are looked through for prices that orders rest at: few, because a strategy that acts on every kline makes them be looked through again. */
const LOOK_AHEAD = 64

/** What a replay is made of. */
export interface ReplayOptions {
  readonly engine: Engine
  readonly instrument: Instrument
  /** Whose orders are played; the instrument's symbol if not given. */
  readonly book?: string | undefined
  readonly interval: Interval
  readonly fills: FillSettings
  /** Klines that tell the path inside those that are played. */
  readonly detail?: DetailKlines | undefined
  /** Where trades are played instead: the best prices of the moment. */
  readonly top?: KnownTop | undefined
  readonly sizingReference: SizingReference
  /** Takes every notice of the engine, in order. */
  readonly onNotice: (notice: Notice) => void
  /** Whether it must also be told that an order was submitted and accepted, as it always is at once; default: yes. */
  readonly tellsArrivals?: boolean | undefined
  /** Where that is not so: takes how many signals came to nothing, or to an order that is decided, filled and booked in one step. */
  readonly onLoneSignals?: ((count: number) => void) | undefined
  /** Takes every fill, just before it is booked. */
  readonly onFill?: ((fill: SimulatedFill) => void) | undefined
  /** What fills are numbered by; shared where several replays play one account. */
  readonly fillNumbers?: FillNumbers | undefined
  /** On a futures account: what is known of the contract beside its klines. */
  readonly futures?: FuturesData | undefined
  /** Where several replays play one account: all of them, once they are made, for a liquidation may concern any. */
  readonly peers?: Replay[] | undefined
}

/**
 * Shows klines to the engine by the rules that forbid look-ahead: orders decided earlier trade on a kline first, the
 * fills reach ledger and strategy, and only then is the kline closed and shown. A plain loop: no promises, no timers.
 */
export class Replay {
  readonly #engine: Engine
  readonly #instrument: Instrument
  readonly #book: string
  readonly #interval: Interval
  readonly #sizesAtOpen: boolean
  readonly #onNotice: (notice: Notice) => void
  readonly #detail: DetailKlines | undefined
  readonly #model: KlineFillModel
  /** Market time of what happens now, ms UTC. */
  #time = Number.NaN
  /** A kline was opened, so that it must be walked. */
  #isOpened = false
  /** The inside of a kline is played. */
  #isWalking = false
  /** Orders have come from what happened elsewhere. */
  #hasArrivals = false
  readonly #booker: FillBooker
  readonly #peers: readonly Replay[]
  readonly #watch: ContractWatch | undefined
  readonly #tellsArrivals: boolean
  readonly #onLoneSignals: ((count: number) => void) | undefined
  /** Whether nobody minds that an order is decided, filled and booked in one step. */
  readonly #takesLone: boolean
  /** An order that nothing works beside, decided on the kline closed last, but not entered: see `LoneDecisions`. */
  #lone: OrderRequest | undefined
  /** The kline that is traded on. */
  #kline: Kline | undefined

  constructor(options: ReplayOptions) {
    const { engine, instrument, interval, fills, detail, sizingReference, onNotice, onFill } = options
    this.#engine = engine
    this.#detail = detail
    this.#instrument = instrument
    this.#book = options.book ?? instrument.symbol
    this.#booker = new FillBooker({
      ...{ ledger: engine.ledger, instrument, onFill },
      numbers: options.fillNumbers ?? { latest: 0 },
      process: event => this.#process(event),
    })
    this.#interval = interval
    this.#sizesAtOpen = sizingReference === 'nextOpen'
    this.#onNotice = onNotice
    this.#tellsArrivals = options.tellsArrivals ?? true
    const traded = detail?.interval ?? interval
    this.#watch = instrument.futures && this.#contractWatch(options, traded)
    this.#model = new KlineFillModel({
      instrument,
      interval: traded,
      settings: fills,
      onFill: fill => this.#execute(fill),
      onEnd: ({ clientOrderId }, reason) => this.#end(clientOrderId, 'canceled', reason),
      watch: this.#watch,
      top: options.top,
    })
    this.#onLoneSignals = options.onLoneSignals
    this.#takesLone =
      this.#onLoneSignals !== undefined &&
      !this.#tellsArrivals &&
      !this.#sizesAtOpen &&
      detail === undefined &&
      options.top === undefined
    this.#peers = options.peers ?? [this]
    options.peers?.push(this)
  }

  /** Lets the indicators compute the rows `from` to `to - 1` ahead; they must be played next. */
  announce(klines: KlineSeries, from: number, to: number): void {
    this.#engine.announce(this.#book, klines, from, to)
  }

  /** Lets orders trade on one trade, or at one moment of the book: a kline that is over as soon as it begins. */
  tick(kline: Kline): void {
    if (this.mayTrade) this.#trade(kline)
  }

  /** Lets the engine learn something of the market, at a market time (ms UTC). */
  see(event: EngineEvent, time: number): void {
    this.carryOutAt(this.#engine.process(event), time)
  }

  /** Plays one kline: fills, then its close. */
  next(kline: Kline): void {
    if (this.mayTrade) this.#trade(kline)
    this.close(kline)
  }

  /**
   * Plays the row `from` and those after it, up to the first that leads to something, or to `to - 1`; returns the row
   * that comes next. The same as one `next` for each.
   */
  playRows(klines: KlineSeries, from: number, to: number): number {
    if (this.#lone !== undefined) this.#fillLone(this.#lone, new KlineRow(klines, from))
    const quietUntil = this.#quietUntil(klines, from, to)
    if (quietUntil === from) this.#trade(new KlineRow(klines, from))
    const { next, outputs, lone, loneSignals } = this.#engine.closeKlines(
      this.#book,
      klines,
      from,
      Math.max(quietUntil, from + 1),
      this.#takesLone && this.#model.isEmpty,
    )
    this.#lone = lone
    if (loneSignals > 0) this.#onLoneSignals?.(loneSignals)
    if (outputs.length > 0) {
      this.#time = closeTimeOf(klines.openTime[next - 1] as number, this.#interval) // closed, hence a row
      this.#carryOut(outputs)
    }
    return next
  }

  /** Ends the shortcut of a lone order that has found no open any more: it works like any other. */
  settle(): void {
    if (this.#lone === undefined) return
    const order = this.#lone
    this.#lone = undefined
    this.#time = order.decidedAt
    this.#engine.enterLone(order)
    this.#place(order)
  }

  /** Whether anything can happen on the next kline before its close. */
  get mayTrade(): boolean {
    return this.#mayFill || this.#watch?.isHolding === true
  }

  /** First part of a kline: what trades at its open. Who calls this calls `walk` and `close` for the same kline. */
  open(kline: Kline): void {
    const first = this.#partsOf(kline)[Symbol.iterator]().next().value ?? kline
    this.#isOpened = true
    this.#openOn(first, this.#sizesAtOpen)
  }

  /** Second part: what trades between open and close, if the kline was opened. */
  walk(kline: Kline): void {
    if (!this.#isOpened) return
    this.#isOpened = false
    this.#isWalking = true
    let isFirst = true
    for (const part of this.#partsOf(kline)) {
      if (!isFirst) this.#openOn(part, false)
      isFirst = false
      this.#time = part.openTime
      this.#walkOn(part)
    }
    this.#isWalking = false
  }

  /** Tells strategies that want to know that trading begins or ends, at a time, ms UTC. */
  turnSession(type: 'sessionStarted' | 'sessionEnding', time: number): void {
    if (this.#engine.hasSessions) this.carryOutAt(this.#engine.process({ type, time }), time)
    if (type === 'sessionEnding') this.#engine.dispose()
  }

  /** Lets orders that have come since trade at the same open. */
  openAgain(kline: Kline): void {
    this.#time = kline.openTime
    this.#model.open(this.#partsOf(kline)[Symbol.iterator]().next().value ?? kline)
  }

  /** Whether orders have come from what happened elsewhere, since the last time that somebody asked. */
  takeArrivals(): boolean {
    const hasArrivals = this.#hasArrivals
    this.#hasArrivals = false
    return hasArrivals
  }

  /** Carries out what has followed from an event at a time (ms UTC) that is not about these klines. */
  carryOutAt(outputs: readonly EngineOutput[], time: number): void {
    if (outputs.length === 0) return
    this.#time = time
    this.#hasArrivals = true
    this.#carryOut(outputs)
  }

  /** Last part: shows the closed kline to the strategy. */
  close(kline: Kline): void {
    const outputs = this.#engine.closeKline(this.#book, kline)
    if (outputs.length === 0) return
    this.#time = closeTimeOf(kline.openTime, this.#interval)
    this.#carryOut(outputs)
  }

  /** Closes the position at `price` (quote per base), at the time of `kline`, and cancels everything else. */
  closePosition(kline: Kline, price: number, purpose: Purpose): void {
    this.settle()
    this.#time = kline.openTime
    this.#process({
      type: 'flattenRequested',
      symbol: this.#instrument.symbol,
      book: this.#book,
      purpose,
      time: this.#time,
    })
    const { openTime, volume } = kline
    this.#model.force({ openTime, open: price, high: price, low: price, close: price, volume })
  }

  /**
   * Whether a round trip that is being reported would have been another, or none, by another path inside a kline: see
   * `BacktestResult.ambiguousRoundTrips`.
   */
  isAmbiguous(roundTrip: RoundTrip): boolean {
    return this.#booker.isAmbiguous(roundTrip, this.#model.ambiguousEntries)
  }

  /** Fills an order that nothing works beside, and that was not even entered, at an open; where that is not all that happens to it, it becomes one like all others. */
  #fillLone(order: OrderRequest, kline: Kline): void {
    const whole = this.#model.wholeAtOpen(order, kline)
    const fill = whole && this.#booker.beginWhole(whole, kline.openTime)
    if (fill === undefined) {
      this.settle()
      return
    }
    this.#lone = undefined
    for (const roundTrip of this.#engine.fillLone(order, fill))
      this.#onNotice({ type: 'roundTripClosed', roundTrip })
    this.#booker.end()
  }

  /** The first row on which anything can happen before the close. */
  #quietUntil(klines: KlineSeries, from: number, to: number): number {
    const calmUntil = this.#watch?.calmUntil(klines, from, to) ?? to
    if (calmUntil === from || !this.#mayFill) return calmUntil
    // Klines of a finer interval and openings are told one by one.
    if (this.#sizesAtOpen || this.#detail !== undefined) return from
    return this.#model.quietUntil(klines, from, Math.min(calmUntil, from + LOOK_AHEAD))
  }

  #trade(kline: Kline): void {
    if (this.#detail !== undefined) {
      this.open(kline)
      this.walk(kline)
      return
    }
    this.#openOn(kline, this.#sizesAtOpen)
    this.#walkOn(kline)
  }

  /** Whether any order can fill before the next close. */
  get #mayFill(): boolean {
    return !this.#model.isEmpty || this.#sizesAtOpen
  }

  /** The klines that tell what happens inside one. */
  #partsOf(kline: Kline): Iterable<Kline> {
    return this.#detail === undefined ? [kline] : detailOf(kline, this.#interval, this.#detail)
  }

  #openOn(kline: Kline, sizesAtOpen: boolean): void {
    this.#time = kline.openTime
    this.#kline = kline
    this.#watch?.open(kline, this.#time)
    this.#model.open(kline)
    if (sizesAtOpen) this.#sizeAtOpen(kline)
    this.#watch?.settleInside(kline)
  }

  #walkOn(kline: Kline): void {
    this.#kline = kline
    this.#model.walk(kline)
    this.#watch?.close(this.#time)
  }

  #contractWatch(
    { engine, instrument, fills, detail, top, futures = {} }: ReplayOptions,
    interval: Interval,
  ): ContractWatch {
    return new ContractWatch({
      instrument,
      interval,
      isTicks: top !== undefined,
      ledger: engine.ledger,
      data: futures,
      isOptimistic: fills.path === 'optimistic',
      isDetailed: detail !== undefined,
      owns: book => this.#owns(book),
      process: event => this.#process(event),
      takeOver: liquidation => this.#takeOver(liquidation),
    })
  }

  #owns(book: string): boolean {
    return wholeBook(book) === this.#book
  }

  #takeOver(liquidation: Liquidation): void {
    const kline = this.#kline as Kline // nothing is taken over before a kline is traded on
    const isAmbiguous = this.#model.isAmbiguousLiquidation(kline)
    const owner = this.#peers.find(peer => peer.#owns(liquidation.book)) ?? this
    owner.#time = this.#time
    owner.#bookLiquidation(liquidation, isAmbiguous, kline.openTime)
  }

  #bookLiquidation(liquidation: Liquidation, isAmbiguous: boolean, klineOpenTime: number): void {
    this.#booker.bookLiquidation(liquidation.book, isAmbiguous, fillId => {
      const outputs = this.#engine.process({ type: 'liquidated', liquidation, fillId, time: this.#time })
      for (const output of outputs) {
        if (output.type === 'fillBooked') this.#booker.tellLiquidation(output, klineOpenTime)
        if (output.type !== 'cancelOrder') continue
        for (const peer of this.#peers) peer.#model.cancel(output.clientOrderId)
      }
      this.#carryOut(outputs)
    })
  }

  #sizeAtOpen(kline: Kline): void {
    const price = roundToTicks(this.#instrument, kline.open, 'nearest')
    const { symbol } = this.#instrument
    this.#process({ type: 'openingSeen', symbol, book: this.#book, price, time: this.#time })
    this.#model.open(kline)
  }

  #process(event: EngineEvent): void {
    this.#carryOut(this.#engine.process(event))
  }

  #carryOut(outputs: readonly EngineOutput[]): void {
    for (const output of outputs) {
      switch (output.type) {
        case 'placeOrder':
          this.#place(output.request)
          break
        case 'cancelOrder':
          this.#cancel(output)
          break
        case 'resizeOrder':
          this.#ownerOf(this.#bookOf(output.clientOrderId)).#model.resize(
            output.clientOrderId,
            output.quantity,
          )
          break
        default:
          this.#onNotice(output)
      }
    }
  }

  /** An order may have ended through what the outputs before led to. */
  #cancel({ clientOrderId, cause }: CancelOrder): void {
    const order = this.#engine.ledger.orders.get(clientOrderId)
    if (order === undefined || !isWorking(order.status)) return
    const { event, reason } = cancellationFor(cause)
    const owner = this.#ownerOf(bookOf(order.request))
    owner.#time = this.#time
    owner.#model.cancel(clientOrderId)
    owner.#end(clientOrderId, event, reason)
  }

  #end(clientOrderId: string, event: Cancellation['event'], reason: string | undefined): void {
    const time = this.#time
    if (reason === undefined) this.#process({ type: 'orderUpdated', clientOrderId, event, time })
    else this.#process({ type: 'orderUpdated', clientOrderId, event, reason, time })
  }

  #place(request: OrderRequest): void {
    const { clientOrderId } = request
    const owner = this.#ownerOf(bookOf(request))
    if (owner === this) this.#model.place(request, this.#time)
    else owner.#admit(request, this)
    if (!this.#tellsArrivals && this.#engine.acknowledge(request, this.#time)) return
    owner.#process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time: this.#time })
    owner.#process({ type: 'orderUpdated', clientOrderId, event: 'accepted', time: this.#time })
  }

  /** Takes in an order that something in another market has led to. */
  #admit(request: OrderRequest, from: Replay): void {
    this.#time = from.#time
    this.#hasArrivals = true
    if (from.#isWalking && this.#isOpened) this.#model.placeLater(request)
    else this.#model.place(request)
  }

  /** Who plays the orders of a book: of a strategy with several markets, one of them may be decided about in another. */
  #ownerOf(book: string): Replay {
    if (book === this.#book || this.#peers.length === 1 || this.#owns(book)) return this
    return this.#peers.find(peer => peer.#owns(book)) ?? this
  }

  #bookOf(clientOrderId: string): string {
    const order = this.#engine.ledger.orders.get(clientOrderId)
    return order === undefined ? this.#book : bookOf(order.request)
  }

  #execute(fill: ModelFill): void {
    if (this.#booker.book(fill, this.#time)) return
    const { clientOrderId } = fill.request
    this.#model.cancel(clientOrderId)
    this.#end(
      clientOrderId,
      'canceled',
      'The balance did not cover the whole order at the price it traded at.',
    )
  }
}
