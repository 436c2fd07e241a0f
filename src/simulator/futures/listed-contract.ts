import type { Instrument } from '../../domain/instrument.ts'
import { type Interval, intervalMs } from '../../domain/market-data/interval.ts'
import { type Amount, type Rate, ZERO } from '../../domain/numbers/amount.ts'
import { type Grid, NO_STEPS, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { ObservedMatchingState } from '../../matching/observed-matching.ts'
import { BoundedList } from '../bounded-list.ts'
import type { LiveRules } from '../live/live-rules.ts'
import type { MarketObservation } from '../live/market-observation.ts'
import { FormingKlines, type KlineSeriesState } from '../markets/forming-klines.ts'
import type { FeedPosition, MarketFeed } from '../markets/market-feed.ts'
import { PrintTape, type PrintTapeState } from '../markets/print-tape.ts'
import { ShiftedFeed, type ShiftedFeedState, scaledQuotes } from '../markets/shifted-feed.ts'
import type { TapeSummary } from '../prices/day-window.ts'
import type { GridKline } from '../prices/grid-kline.ts'
import type { Print } from '../prices/print.ts'
import { type Quotes, quotesAround } from '../prices/quotes.ts'
import type { QuotePlan } from '../spot/background-liquidity.ts'
import type { OrderBookState } from '../spot/order-book.ts'
import type { Contract } from './contract.ts'
import { FuturesMarket, type FuturesMarketEvents } from './futures-market.ts'
import { HouseQuotes } from './house-quotes.ts'
import { futuresBooking, LiveContract, type LiveContractState } from './live-contract.ts'
import { fundingRateOf, nextFundingTime } from './positions/funding.ts'
import type { FuturesAccount, SimulatedFuturesOrder } from './positions/futures-account.ts'
import {
  type ContractPrint,
  contractPrintOf,
  feedGridOf,
  indexBelow,
  ownPrintOf,
  ownQuotesOf,
} from './reference-feed.ts'

/** Intervals of the futures interface's klines (section 4.5). */
const SERVED_INTERVALS: readonly Interval[] = ['1m', '5m', '15m', '30m', '1h', '1d', '1w', '1M']

/** A listed contract that has opened, as plain data but for its orders. */
export interface ListedContractState {
  /** Only of one with a market of its own. */
  readonly feed: ShiftedFeedState | undefined
  /** Oldest first. */
  readonly passedOn: readonly ContractPrint[]
  readonly index: Amount
  readonly lastFundingRate: Rate | undefined
  readonly nextFundingAt: number
  readonly step: number
  readonly quotedStep: number
  readonly recorded: Quotes | undefined
  readonly tape: PrintTapeState
  readonly klines: ReadonlyMap<Interval, KlineSeriesState>
  readonly book: OrderBookState<SimulatedFuturesOrder>
  readonly quotes: readonly SimulatedFuturesOrder[]
  /** Only of one that is observed. */
  readonly live?:
    | (LiveContractState & { readonly orders: ObservedMatchingState<SimulatedFuturesOrder> })
    | undefined
}

export interface ListedContractSetup {
  readonly contract: Contract
  /** The spot pair that provides its prints. */
  readonly follows: Instrument | undefined
  /** Prints of its own, and best quotes where they are known; without it, someone passes on those of its underlying. */
  readonly openFeed: ((grid: Grid, now: number, from?: FeedPosition) => MarketFeed) | undefined
  /** Length of the source klines of the prints. */
  readonly source: Interval
  readonly house: FuturesAccount
  readonly plan: QuotePlan
  /** First order id of the exchange's own account on this contract. */
  readonly firstHouseId: bigint
  readonly events: FuturesMarketEvents
  /** Rules of a contract that is only observed; `undefined` for any other. */
  readonly live: LiveRules | undefined
}

/**
 * One contract of the exchange. Prints of its underlying, or of its own market, move its index and mark
 * price, make its public record (klines, ticker, feeds) and drive its book. Users' trades are too small to
 * appear in that record.
 */
export class ListedContract {
  readonly contract: Contract
  /** The spot pair it follows, if any. */
  readonly follows: Instrument | undefined
  readonly market: FuturesMarket
  readonly tape: PrintTape
  /** Of a contract that is only observed. */
  readonly live: LiveContract | undefined
  readonly #klines = new Map<Interval, FormingKlines>()
  readonly #quotes: HouseQuotes
  readonly #openFeed: ListedContractSetup['openFeed']
  #feed: ShiftedFeed | undefined
  /** Prints of the underlying that were passed on and not played yet. */
  readonly #passedOn = new BoundedList<ContractPrint>(Number.POSITIVE_INFINITY)
  #index: Amount = ZERO
  #lastFundingRate: Rate | undefined
  #nextFundingAt = Number.POSITIVE_INFINITY
  /** Number of market moves. */
  #step = 0
  #quotedStep = 0
  /** The best quotes where they are recorded. */
  #recorded: Quotes | undefined

  constructor({
    contract,
    follows,
    openFeed,
    source,
    house,
    plan,
    firstHouseId,
    events,
    live,
  }: ListedContractSetup) {
    this.contract = contract
    this.follows = follows
    this.market = new FuturesMarket(events)
    this.#quotes = new HouseQuotes(contract, this.market, house, plan, firstHouseId)
    this.#openFeed = openFeed
    this.tape = new PrintTape(live === undefined ? undefined : 0)
    if (live !== undefined) {
      const booking = futuresBooking(this.market, fill => this.#quotes.counterparty(fill, ++this.#step))
      this.live = new LiveContract(contract, live, booking)
    }
    for (const interval of SERVED_INTERVALS) {
      const isFiner = intervalMs(interval) < intervalMs(source)
      this.#klines.set(interval, new FormingKlines(interval, isFiner))
    }
  }

  /**
   * The mark price: that of the latest print, or with recorded quotes the median of print, bid and ask, so
   * that no single print or quote can move it alone; 0 before the first print.
   */
  get mark(): Ticks {
    if (this.live?.prices !== undefined) return this.live.prices.mark
    const last = this.tape.newest?.price ?? ticks(0)
    if (this.#recorded === undefined || last === 0) return last
    const { bid, ask } = this.#recorded
    return last < bid ? bid : last > ask ? ask : last
  }

  /**
   * The index price, quote per base; for a contract with its own market, derived from the mark price and the
   * premium.
   */
  get index(): Amount {
    if (this.live?.prices !== undefined) return this.live.prices.index
    return this.follows === undefined ? indexBelow(this.contract, this.mark) : this.#index
  }

  /** True while its market runs. */
  get isOpen(): boolean {
    return Number.isFinite(this.#nextFundingAt)
  }

  /** When the next settlement is due, ms UTC. */
  get nextFundingAt(): number {
    return this.#nextFundingAt
  }

  /** Funding rate of the next settlement as of now. */
  get fundingRate(): Rate {
    return this.live?.prices?.fundingRate ?? fundingRateOf(this.contract, this.mark, this.#index)
  }

  /** Funding rate of the latest settlement; before the first one, the present rate. */
  get lastFundingRate(): Rate {
    return this.#lastFundingRate ?? this.fundingRate
  }

  /** When the next print or change of quotes is due, ms UTC. */
  get nextMoveAt(): number | undefined {
    return this.#passedOn.oldest?.time ?? this.#feed?.nextAt
  }

  /** Opens the market at `now`, ms UTC: earlier prints are history. */
  open(now: number): void {
    if (this.isOpen) return
    const feed = this.#openFeed?.(feedGridOf(this.contract), now)
    this.#feed = feed && new ShiftedFeed(feed)
    this.#nextFundingAt = nextFundingTime(this.contract, now)
  }

  /** All of it; `undefined` before it opens. */
  dump(): ListedContractState | undefined {
    if (!this.isOpen) return undefined
    return {
      feed: this.#feed?.dump(),
      passedOn: [...this.#passedOn.oldestFirst()],
      index: this.#index,
      lastFundingRate: this.#lastFundingRate,
      nextFundingAt: this.#nextFundingAt,
      step: this.#step,
      quotedStep: this.#quotedStep,
      recorded: this.#recorded,
      tape: this.tape.dump(),
      klines: new Map([...this.#klines].map(([interval, series]) => [interval, series.dump()])),
      book: this.market.book.dump(),
      quotes: this.#quotes.dump(),
      live: this.live && { ...this.live.dump(), orders: this.live.orders.dump() },
    }
  }

  /** Resumes at `now` (ms UTC) from the dump of another one of the same contract. */
  restore(state: ListedContractState, now: number): void {
    const feed = state.feed && this.#openFeed?.(feedGridOf(this.contract), now, state.feed.position)
    this.#feed = feed && new ShiftedFeed(feed, state.feed?.factor)
    this.#passedOn.restore(state.passedOn)
    this.#index = state.index
    this.#lastFundingRate = state.lastFundingRate
    this.#nextFundingAt = state.nextFundingAt
    this.#step = state.step
    this.#quotedStep = state.quotedStep
    this.#recorded = state.recorded
    this.tape.restore(state.tape)
    for (const [interval, series] of state.klines) this.#klines.get(interval)?.restore(series)
    this.market.book.restore(state.book)
    this.#quotes.restore(state.quotes)
    if (this.live === undefined || state.live === undefined) return
    this.live.orders.restore(state.live.orders)
    this.live.restore(state.live)
  }

  /** Adds the next print of the underlying; its prices lie on `grid`. */
  passOn(grid: Grid, print: Print): void {
    this.#passedOn.push(contractPrintOf(this.contract, grid, print))
  }

  /** Plays the next print or quotes: index and mark price move, and orders they cross are filled. */
  playNext(): void {
    const passedOn = this.#passedOn.dropOldest()
    if (passedOn !== undefined) {
      this.#index = passedOn.index
      this.#play(passedOn)
      return
    }
    const print = this.#feed?.takePrint()
    if (print !== undefined) {
      this.#play(ownPrintOf(this.contract, print))
      return
    }
    const quotes = this.#feed?.takeQuotes()
    if (quotes !== undefined) this.#requote(ownQuotesOf(this.contract, quotes))
  }

  /** Moves the price of an own market at `time`, ms UTC; later prices continue from there. */
  shock(price: Ticks, time: number): void {
    const before = this.tape.newest?.price ?? price
    const factor = price / before
    this.#feed?.shift(factor)
    if (this.#recorded !== undefined) this.#recorded = scaledQuotes(this.#recorded, factor)
    this.#play({ time, price, quantity: NO_STEPS, side: price < before ? 'sell' : 'buy' })
  }

  /** The rate of the settlement that is due now; the next one is due an interval later. */
  takeFundingRate(): Rate {
    const rate = this.fundingRate
    this.#lastFundingRate = rate
    this.#nextFundingAt = nextFundingTime(this.contract, this.#nextFundingAt)
    return rate
  }

  /** Places quotes as of the latest move, if not yet done; deferred until the book is read. */
  refreshQuotes(): void {
    const newest = this.tape.newest
    if (this.#quotedStep === this.#step) return
    this.#quotedStep = this.#step
    if (this.live?.shown !== undefined) {
      this.#quotes.withdraw()
      this.#quotes.quoteShown(this.live.shown, this.#step)
    } else if (this.#recorded !== undefined) this.#quotes.quoteRecorded(this.#recorded, this.#step)
    else if (this.live === undefined && newest !== undefined)
      this.#quotes.quote(newest.price, this.#step, newest.time)
  }

  /** Summary of the 24 hours before `now`, ms UTC; `undefined` before the market began. */
  lastDay(now: number): TapeSummary | undefined {
    return this.live?.day ?? this.tape.lastDay(this.contract, now)
  }

  /** Takes what a host tells of an observed contract, known at `now`, ms UTC. */
  observe(observation: MarketObservation, now: number): void {
    const { live } = this
    if (live === undefined) throw new InvariantError(`${this.contract.name} is no contract of the type live.`)
    live.observe(observation, now)
    if (observation.kind === 'book') this.#step++
    if (observation.kind === 'day' && live.day !== undefined)
      this.tape.record({ time: now, price: live.day.last, quantity: NO_STEPS, side: 'buy' })
  }

  /** Klines of an interval at `now` (ms UTC), newest first, the forming one included; none of an interval that is not served. */
  *klines(interval: Interval, now: number): Generator<GridKline> {
    const series = this.#klines.get(interval)
    series?.rollTo(now)
    if (series !== undefined) yield* series.newestFirst()
  }

  #play(print: Print): void {
    this.#step++
    this.tape.record(print)
    for (const series of this.#klines.values()) series.record(print)
    this.#quotes.withdraw()
    this.#quotes.tradeThrough(print.price, this.#step, print.time)
    if (this.#recorded !== undefined) this.#recorded = quotesAround(this.#recorded, print.price)
  }

  #requote(quotes: Quotes): void {
    this.#step++
    this.#recorded = quotes
    this.#quotes.withdraw()
    this.#quotes.tradeAgainst(quotes, this.#step)
  }
}
