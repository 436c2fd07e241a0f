import type { EngineEvent, OpeningSeen } from '../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { roundToTicks } from '../../src/domain/numbers/grid.ts'
import type { Purpose } from '../../src/domain/orders/order-intent.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { SizingReference } from '../../src/engine/engine-options.ts'
import type { BookRoute, PricedMarket } from '../../src/engine/routing/market-data-router.ts'
import { type DetailKlines, detailOf } from '../fills/detail-klines.ts'
import { SimulatedMarket, type SimulatedMarketOptions } from '../fills/simulated-market.ts'

/**
 * Klines searched in advance for prices of resting orders: few, because a strategy that acts on every kline
 * repeats the search.
 */
const LOOK_AHEAD = 64

export interface ReplayOptions extends Omit<SimulatedMarketOptions, 'book' | 'peers'> {
  /** Book of the orders; default: the instrument's symbol. */
  readonly book?: string | undefined
  readonly sizingReference: SizingReference
  /** All markets of an account that several replays share, because a liquidation may concern any of them. */
  readonly peers?: SimulatedMarket[] | undefined
}

/**
 * Shows the klines of one market to the engine without look-ahead: orders decided earlier trade on a kline first, the fills
 * reach ledger and strategy, and only then is the kline closed and shown (`next`). `playRows` does the same for a stretch of
 * rows; `open`, `walk`, `mark` and `closeNext` do it in parts, between which other markets have theirs. See `playThrough`.
 */
export class Replay {
  readonly market: SimulatedMarket
  readonly #engine: Engine
  readonly #route: BookRoute
  readonly #priced: PricedMarket
  readonly #instrument: Instrument
  readonly #book: string
  readonly #interval: Interval
  readonly #sizesAtOpen: boolean
  readonly #detail: DetailKlines | undefined

  constructor(options: ReplayOptions) {
    const { engine, instrument, interval, detail, sizingReference } = options
    const { book = instrument.symbol, peers = [] } = options
    this.#engine = engine
    this.#route = engine.router.routeOf(book)
    this.#priced = engine.router.pricedMarket(instrument.symbol)
    this.#instrument = instrument
    this.#book = book
    this.#interval = interval
    this.#sizesAtOpen = sizingReference === 'nextOpen'
    this.#detail = detail
    this.market = new SimulatedMarket({ ...options, book, peers })
  }

  /** Lets the indicators compute the rows `from` to `to - 1` ahead; they must be played next. */
  announce(klines: KlineSeries, from: number, to: number): void {
    this.#engine.router.announce(this.#route, klines, from, to)
  }

  /** Passes a market event to the engine, at a market time (ms UTC). */
  observe(event: EngineEvent, time: number): void {
    this.market.applyOutputsAt(this.#engine.process(event), time)
  }

  /** Plays one kline: fills, then its close. */
  next(kline: Kline): void {
    if (this.mayTrade) this.#trade(kline)
    this.close(kline)
  }

  /**
   * Plays the rows from `from` up to the first with an effect, or to `to - 1`; returns the next row. Equal to
   * one `next` for each.
   */
  playRows(klines: KlineSeries, from: number, to: number): number {
    const quietUntil = this.#quietUntil(klines, from, to)
    if (quietUntil === from) this.#trade(new KlineRow(klines, from))
    const end = Math.max(quietUntil, from + 1)
    const { next, outputs } = this.#engine.router.closeKlines(this.#route, klines, from, end)
    this.#applyAtClose(outputs, klines.openTime[next - 1] as number) // closed, hence a row
    return next
  }

  /** True if an order, funding or a liquidation may change the account on the next kline before its close. */
  get mayTrade(): boolean {
    return this.#mayFill || this.market.watch?.isHolding === true
  }

  /**
   * A row from `from` on, at most `to`, up to which no order can trade, whatever other markets do. Contracts need every row: they
   * count at its open, and their liquidation follows from the prices of all markets.
   */
  outOfReachUntil(klines: KlineSeries, from: number, to: number): number {
    return this.market.watch === undefined ? this.#quietUntil(klines, from, to) : from
  }

  /** First part of a kline: trades at its open. Follow with `walk` and `close` for the same kline. */
  open(kline: Kline): void {
    const first = this.#firstPartOf(kline)
    this.market.phase = 'opened'
    this.market.open(first, this.#sizesAtOpen ? () => this.#sizeAtOpen(first) : undefined)
  }

  /** Second part: trades between open and close, if the kline was opened. */
  walk(kline: Kline): void {
    if (this.market.phase !== 'opened') return
    this.market.phase = 'walking'
    let isFirst = true
    for (const part of this.#partsOf(kline)) {
      if (!isFirst) {
        this.#retry(part.openTime)
        this.market.open(part)
      }
      isFirst = false
      this.market.time = part.openTime
      this.market.walk(part)
    }
    this.market.phase = 'over'
  }

  /** Sends again, at a time (ms UTC), the exits that found no volume: a kline has its own. */
  #retry(time: number): void {
    const { symbol } = this.#instrument
    if (!this.#engine.awaitingRetry.has(symbol)) return
    const outputs = this.#engine.process({ type: 'retryDue', symbol, book: this.#book, time })
    this.market.time = time
    this.market.applyOutputs(outputs)
  }

  /** Notifies strategies with session handlers that trading begins or ends, at a time, ms UTC. */
  turnSession(type: 'sessionStarted' | 'sessionEnding', time: number): void {
    if (this.#engine.hasSessions) this.market.applyOutputsAt(this.#engine.process({ type, time }), time)
    if (type === 'sessionEnding') this.#engine.dispose()
  }

  /** Lets newly placed orders trade at the same open. */
  openAgain(kline: Kline): void {
    this.market.time = kline.openTime
    this.market.klineModel?.open(this.#firstPartOf(kline))
  }

  /** Values the instrument at a close (quote per base) that no strategy was shown yet. */
  mark(close: number): void {
    this.#engine.router.observeClose(this.#priced, close)
  }

  /** Last part: shows the closed kline to the strategy. */
  close(kline: Kline): void {
    this.#applyAtClose(this.#engine.router.closeKline(this.#route, kline), kline.openTime)
  }

  /**
   * The same of the next kline of a cursor, cheaper for one after the other; call `settle` before orders trade. Returns true
   * if it led to anything.
   */
  closeNext(cursor: KlineCursor): boolean {
    const outputs = this.#engine.router.closeNext(this.#route, cursor)
    if (outputs.length === 0) return false
    this.#applyAtClose(outputs, cursor.klines.openTime[cursor.next - 1] as number) // shown, hence a row
    return true
  }

  /** See `MarketDataRouter.settle`. */
  settle(): void {
    this.#engine.router.settle(this.#route)
  }

  /**
   * Closes the position at the open or the close of a kline, and cancels everything else, at a time (ms UTC; default: that of the
   * price). On recorded ticks it is always the close: fills lie inside the kline.
   */
  closePosition(kline: Kline, at: 'open' | 'close', purpose: Purpose, time?: number): void {
    this.settle()
    const { openTime, volume } = kline
    const isAtOpen = at === 'open' && this.market.tickModel === undefined
    const price = isAtOpen ? kline.open : kline.close
    this.market.time = time ?? (isAtOpen ? openTime : closeTimeOf(openTime, this.#interval))
    this.market.process({
      type: 'flattenRequested',
      symbol: this.#instrument.symbol,
      book: this.#book,
      purpose,
      time: this.market.time,
    })
    this.market.model.force({ openTime, open: price, high: price, low: price, close: price, volume })
  }

  /**
   * True if the round trip being reported depends on the path inside a kline: see
   * `BacktestResult.ambiguousRoundTrips`.
   */
  isAmbiguous(roundTrip: RoundTrip): boolean {
    return this.market.booker.isAmbiguous(roundTrip, this.market.model.ambiguousEntries)
  }

  /** True if the path inside a kline decided that an open position is still there: see `BacktestResult.ambiguousOpenPositions`. */
  isAmbiguousPosition({ lots }: Position): boolean {
    const { ambiguousEntries } = this.market.model
    return ambiguousEntries.size > 0 && lots.some(({ clientOrderId }) => ambiguousEntries.has(clientOrderId))
  }

  /** Executes what the close of the kline has led to that opened at a time, ms UTC. */
  #applyAtClose(outputs: readonly EngineOutput[], openTime: number): void {
    if (outputs.length === 0) return
    this.market.time = closeTimeOf(openTime, this.#interval)
    this.market.applyOutputs(outputs)
  }

  /** The first row that may change the account before its close. */
  #quietUntil(klines: KlineSeries, from: number, to: number): number {
    const calmUntil = this.market.watch?.calmUntil(klines, from, to) ?? to
    if (calmUntil === from || !this.#mayFill) return calmUntil
    // Detail klines and sizing at the open need every row.
    if (this.#sizesAtOpen || this.#detail !== undefined) return from
    const { klineModel } = this.market
    return klineModel?.quietUntil(klines, from, Math.min(calmUntil, from + LOOK_AHEAD)) ?? from
  }

  #trade(kline: Kline): void {
    this.open(kline)
    this.walk(kline)
  }

  /** True if any order can fill before the next close. */
  get #mayFill(): boolean {
    return !this.market.model.isEmpty || this.#sizesAtOpen
  }

  /** The detail klines inside one. */
  #partsOf(kline: Kline): Iterable<Kline> {
    return this.#detail === undefined ? [kline] : detailOf(kline, this.#interval, this.#detail)
  }

  #firstPartOf(kline: Kline): Kline {
    return this.#partsOf(kline)[Symbol.iterator]().next().value ?? kline
  }

  #sizeAtOpen(kline: Kline): void {
    const price = roundToTicks(this.#instrument, kline.open, 'nearest')
    const { symbol } = this.#instrument
    const { time } = this.market
    let event: OpeningSeen = { type: 'openingSeen', symbol, book: this.#book, price, time }
    let hasPlaced = true
    while (hasPlaced) {
      const outputs = this.#engine.process(event)
      this.market.applyOutputs(outputs)
      this.market.klineModel?.open(kline)
      hasPlaced = outputs.some(({ type }) => type === 'placeOrder')
      event = { ...event, again: true }
    }
  }
}
