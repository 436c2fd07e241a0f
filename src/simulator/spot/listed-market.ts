import type { Instrument } from '../../domain/instrument.ts'
import { type Interval, intervalMs } from '../../domain/market-data/interval.ts'
import { NO_STEPS, type Ticks } from '../../domain/numbers/grid.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { ObservedMatchingState } from '../../matching/observed-matching.ts'
import type { Account } from '../account.ts'
import type { LiveRules } from '../live/live-rules.ts'
import type { MarketObservation } from '../live/market-observation.ts'
import { FormingKlines, type KlineSeriesState } from '../markets/forming-klines.ts'
import type { FeedPosition, MarketFeed } from '../markets/market-feed.ts'
import { openFeed } from '../markets/open-feed.ts'
import { PrintTape, type PrintTapeState } from '../markets/print-tape.ts'
import { ShiftedFeed, type ShiftedFeedState, scaledQuotes } from '../markets/shifted-feed.ts'
import type { TapeSummary } from '../prices/day-window.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import type { MarketDrivers } from '../prices/market-drivers.ts'
import type { Print } from '../prices/print.ts'
import { type Quotes, quotesAround } from '../prices/quotes.ts'
import type { Listing } from '../simulator-config.ts'
import { BackgroundLiquidity, type QuotePlan } from './background-liquidity.ts'
import { spotBooking } from './live-booking.ts'
import { LivePair, type LivePairState } from './live-pair.ts'
import type { OrderBookState } from './order-book.ts'
import { SpotMarket, type SpotMarketEvents } from './spot-market.ts'
import type { SimulatedSpotOrder } from './spot-order.ts'
import { StopBook, type StopBookState } from './stop-book.ts'

/** Intervals of the spot interface's klines (section 4.1). */
const SERVED_INTERVALS = [
  '1m',
  '5m',
  '15m',
  '30m',
  '1h',
  '1d',
  '1w',
  '1M',
] as const satisfies readonly Interval[]

/** A listed market that has opened, as plain data but for its orders. */
export interface ListedMarketState {
  readonly feed: ShiftedFeedState
  readonly step: number
  readonly quotedStep: number
  readonly recorded: Quotes | undefined
  readonly tape: PrintTapeState
  readonly klines: ReadonlyMap<Interval, KlineSeriesState>
  readonly book: OrderBookState<SimulatedSpotOrder>
  readonly quotes: readonly SimulatedSpotOrder[]
  readonly stops: StopBookState
  /** Only of a market that is observed. */
  readonly live?: ObservedMatchingState<SimulatedSpotOrder> | undefined
  readonly told?: (LivePairState & { readonly isTrading: boolean }) | undefined
}

export interface ListedMarketSetup {
  readonly listing: Listing
  /** Random drivers of a generated market. */
  readonly drivers: MarketDrivers
  /** The exchange's own account. */
  readonly house: Account
  readonly plan: QuotePlan
  /** Begins the range of the exchange's own order ids on this market. */
  readonly firstHouseId: bigint
  readonly events: SpotMarketEvents
  /** Rules of markets that are only observed. */
  readonly live: LiveRules
}

/**
 * One instrument of the exchange: its prints come from its feed alone, they make the public record (klines,
 * trades, ticker), and they drive the book. Users' trades are too small to appear in that record.
 */
export class ListedMarket {
  readonly instrument: Instrument
  readonly rules: { -readonly [Rule in keyof Listing['rules']]: Listing['rules'][Rule] }
  readonly tape: PrintTape
  readonly #market: SpotMarket
  readonly #stops = new StopBook()
  readonly #klines: ReadonlyMap<Interval, FormingKlines>
  readonly #liquidity: BackgroundLiquidity
  readonly #openFeed: (now: number, from?: FeedPosition) => MarketFeed
  #feed: ShiftedFeed | undefined
  /** Number of market moves. */
  #step = 0
  #quotedStep = 0
  /** The best quotes where they are recorded. */
  #recorded: Quotes | undefined
  /** Of a market that is only observed. */
  readonly live: LivePair | undefined

  constructor({ listing, drivers, house, plan, firstHouseId, events, live }: ListedMarketSetup) {
    const { instrument, market, rules } = listing
    this.instrument = instrument
    this.rules = { ...rules }
    this.tape = new PrintTape(market.type === 'live' ? 0 : undefined)
    this.#market = new SpotMarket(instrument, events)
    this.#liquidity = new BackgroundLiquidity(this.#market, house, plan, firstHouseId)
    if (market.type === 'live') {
      const booking = spotBooking(this.#market, fill => this.#liquidity.counterparty(fill, ++this.#step))
      this.live = new LivePair(instrument, live, booking)
    }
    const source = market.type === 'klines' ? market.interval : '1m'
    const finer = (interval: Interval) => intervalMs(interval) < intervalMs(source)
    this.#klines = new Map(
      SERVED_INTERVALS.map(interval => [interval, new FormingKlines(interval, finer(interval))]),
    )
    this.#openFeed = (now, from) => openFeed(instrument, market, drivers, now, from)
  }

  /** The book and its rules; quotes are placed when it is read, which is equivalent to constant quoting. */
  get market(): SpotMarket {
    this.refreshQuotes()
    return this.#market
  }

  /** Price of the latest print. */
  get reference(): Ticks | undefined {
    return this.tape.newest?.price
  }

  /** When the next print or change of quotes is due, ms UTC; `undefined` before `open` and after the market's end. */
  get nextPrintAt(): number | undefined {
    return this.#feed?.nextAt
  }

  /** Opens the market at `now`, ms UTC: earlier prints of its feed are history. */
  open(now: number): void {
    this.#feed ??= new ShiftedFeed(this.#openFeed(now))
  }

  /** All of it; `undefined` before it opens. */
  dump(): ListedMarketState | undefined {
    if (this.#feed === undefined) return undefined
    return {
      feed: this.#feed.dump(),
      step: this.#step,
      quotedStep: this.#quotedStep,
      recorded: this.#recorded,
      tape: this.tape.dump(),
      klines: new Map([...this.#klines].map(([interval, series]) => [interval, series.dump()])),
      book: this.#market.book.dump(),
      quotes: this.#liquidity.dump(),
      stops: this.#stops.dump(),
      live: this.live?.orders.dump(),
      told: this.live && { ...this.live.dump(), isTrading: this.rules.isTrading },
    }
  }

  /** Resumes at `now` (ms UTC) from the dump of another market of the same listing. */
  restore(state: ListedMarketState, now: number): void {
    this.#feed = new ShiftedFeed(this.#openFeed(now, state.feed.position), state.feed.factor)
    this.#step = state.step
    this.#quotedStep = state.quotedStep
    this.#recorded = state.recorded
    this.tape.restore(state.tape)
    for (const [interval, series] of state.klines) this.#klines.get(interval)?.restore(series)
    this.#market.book.restore(state.book)
    this.#liquidity.restore(state.quotes)
    this.#stops.restore(state.stops)
    if (state.live !== undefined) this.live?.orders.restore(state.live)
    if (state.told === undefined) return
    this.live?.restore(state.told)
    this.rules.isTrading = state.told.isTrading
  }

  /** Plays the next print or quotes, a print first at equal times; returns true for a print. */
  playNext(): boolean {
    const print = this.#feed?.takePrint()
    if (print !== undefined) {
      this.#play(print)
      return true
    }
    const quotes = this.#feed?.takeQuotes()
    if (quotes !== undefined) this.#requote(quotes)
    return false
  }

  /** Moves the reference price at `time`, ms UTC; the prices of the feed are to those before as it is to the one before. */
  shock(price: Ticks, time: number): void {
    const factor = price / (this.reference ?? price)
    this.#feed?.shift(factor)
    if (this.#recorded !== undefined) this.#recorded = scaledQuotes(this.#recorded, factor)
    this.#play({ time, price, quantity: NO_STEPS, side: price < (this.reference ?? price) ? 'sell' : 'buy' })
  }

  /** Moves the reference price, and fills the orders it crosses. */
  #play(print: Print): void {
    this.#step++
    this.tape.record(print)
    for (const series of this.#klines.values()) series.record(print)
    this.#liquidity.withdraw()
    this.#liquidity.tradeThrough(print.price, this.#step, print.time)
    if (this.#recorded !== undefined) this.#recorded = quotesAround(this.#recorded, print.price)
    this.#trigger(print)
  }

  /** Moves the recorded quotes, and fills the orders they cross. */
  #requote(quotes: Quotes): void {
    this.#step++
    this.#recorded = quotes
    this.#liquidity.withdraw()
    this.#liquidity.tradeAgainst(quotes, this.#step)
  }

  /** Takes on an order: it meets the book at once, or waits for its trigger. */
  place(order: SimulatedSpotOrder): void {
    this.#market.reserve(order)
    this.admit(order, order.time)
  }

  /** Lets an order that has reserved meet the book at `time` (ms UTC), or wait for its trigger. */
  admit(order: SimulatedSpotOrder, time: number): void {
    if (this.#stops.add(order, this.reference)) return
    if (this.live === undefined) this.market.enter(order, time)
    else this.live.orders.enter(order, time)
  }

  /** Takes on an order of the exchange itself, which meets the book of this moment. */
  placeNow(order: SimulatedSpotOrder): void {
    if (this.live === undefined) this.place(order)
    else {
      this.#market.reserve(order)
      this.live.orders.enterNow(order, order.time)
    }
  }

  /** Cancels an open order at once, be it on the book or waiting. */
  cancel(order: SimulatedSpotOrder): void {
    this.#stops.remove(order)
    this.live?.orders.remove(order)
    this.#market.cancel(order)
  }

  /** Cancels an open order at its owner's request at `now`, ms UTC; on an observed market it takes until it is known there. */
  requestCancel(order: SimulatedSpotOrder, now: number): void {
    if (this.live === undefined || this.#stops.has(order)) this.cancel(order)
    else if (order.status !== 'PENDING_CANCEL') {
      order.status = 'PENDING_CANCEL'
      this.live.orders.requestCancel(order, now)
    }
  }

  /** True if an observation may change an order. */
  get isEngaged(): boolean {
    return this.live?.orders.isEngaged === true || this.#stops.waiting.length > 0
  }

  /** Summary of the 24 hours before `now`, ms UTC; `undefined` before the market began. */
  lastDay(now: number): TapeSummary | undefined {
    return this.live?.day ?? this.tape.lastDay(this.instrument, now)
  }

  /** Takes what a host tells of an observed market, known at `now`, ms UTC. */
  observe(observation: MarketObservation, now: number): void {
    const { live } = this
    if (live === undefined)
      throw new InvariantError(`${this.instrument.symbol} is no market of the type live.`)
    if (observation.kind === 'book') {
      live.show(observation.book)
      this.#step++
      // A market buy is complete by these quotes, whoever has read the book before.
      this.refreshQuotes()
    }
    live.observe(observation, now)
    for (const print of live.printsIn(observation, now)) {
      if (observation.kind !== 'gap') this.tape.record(print)
      this.#trigger(print)
    }
    if (observation.kind !== 'rules') return
    this.rules.isTrading = observation.rules.isTrading && live.hasFirstGrid
    if (!live.hasFirstGrid)
      for (const order of [...live.orders.open, ...this.#stops.waiting]) this.cancel(order)
  }

  /** Quotes as of the latest move, if that has not been done; `market` does so by itself. */
  refreshQuotes(): void {
    const newest = this.tape.newest
    if (this.#quotedStep === this.#step) return
    this.#quotedStep = this.#step
    if (this.live?.shown !== undefined) {
      this.#liquidity.withdraw()
      this.#liquidity.quoteShown(this.live.shown, this.#step)
    } else if (this.#recorded !== undefined) this.#liquidity.quoteRecorded(this.#recorded, this.#step)
    else if (newest !== undefined && this.live === undefined)
      this.#liquidity.quote(newest.price, this.#step, newest.time)
  }

  /** Stops meet the quotes around the print that triggers them. */
  #trigger(print: Print): void {
    const triggered = this.#stops.takeTriggered(print.price)
    for (const order of triggered) {
      if (this.live === undefined) this.market.enter(order, print.time)
      else this.live.orders.enter(order, print.time, print.time)
    }
  }

  /** Klines of an interval at `now` (ms UTC), newest first, the forming one included; none of an interval that is not served. */
  *klines(interval: Interval, now: number): Generator<GridKline> {
    const series = this.#klines.get(interval)
    series?.rollTo(now)
    if (series !== undefined) yield* series.newestFirst()
  }
}
