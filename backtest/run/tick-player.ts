import { tradeAt } from '../../src/klines/formats/read-tick-file.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { TickFeeds } from '../ticks/tick-feeds.ts'
import type { TickObservations } from '../ticks/tick-observations.ts'
import type { Replay } from './replay.ts'
import { TickStream } from './tick-stream.ts'

export interface TickPlayerOptions {
  readonly replay: Replay
  readonly ticks: TickData
  readonly observations: TickObservations
  /** Ticks that became known before it (ms UTC) are not played. */
  readonly start: number
  /** Feeds of the market's ticks; `undefined` if no strategy follows any. */
  readonly feeds: TickFeeds | undefined
}

/** Places within their ms of what has none: a feed that is due, a trade, an order book. */
const [FEED, TRADE, BOOK] = [-1, 0, Number.POSITIVE_INFINITY]

/**
 * Plays the recorded trades and order books of one market, one at a time, in the order in which they became known, of
 * one moment the trades first. Feeds that are due at a time are shown before what became known then.
 */
export class TickPlayer {
  /** When the next tick or feed is due: ms UTC, infinite at the end, and ns within that ms. */
  nextTime = Number.POSITIVE_INFINITY
  nextNs = 0
  readonly #replay: Replay
  readonly #observations: TickObservations
  readonly #feeds: TickFeeds | undefined
  readonly #price: Float64Array
  readonly #trades: TickStream
  readonly #books: TickStream
  /** `undefined` if a feed is due. */
  #next: TickStream | undefined
  /** True if the fill model was not told the latest ticks. */
  #isBehind = true

  constructor({ replay, ticks, observations, start, feeds }: TickPlayerOptions) {
    const { trades, books } = ticks
    const { market } = replay
    this.#replay = replay
    this.#observations = observations
    this.#feeds = feeds
    this.#price = trades.price
    this.#trades = new TickStream(
      { ms: trades.arrival?.ms ?? trades.time, ns: trades.arrival?.ns, nsWithout: TRADE },
      (row, at) => market.tickModel?.observeTrade(observations.trade(row), at),
      row => feeds?.observeTrade(tradeAt(trades, row)),
    )
    const known = books?.arrival?.ms ?? books?.time ?? new Float64Array()
    this.#books = new TickStream(
      { ms: known, ns: books?.arrival?.ns, nsWithout: BOOK },
      (row, at) => market.tickModel?.observeBook(observations.book(row), at),
      row => feeds?.observeBook(row),
    )
    this.skipUntil(start, 0)
    if (this.#books.row > 0) feeds?.observeBook(this.#books.row - 1)
    this.#await()
  }

  /** True if a tick may change an order or the account, or is shown to a strategy. */
  get isActive(): boolean {
    return this.#feeds !== undefined || this.#replay.mayTrade
  }

  /** True if its next tick or feed is due before a moment: ms UTC, and ns within that ms. */
  isBefore(ms: number, ns: number): boolean {
    return this.nextTime < ms || (this.nextTime === ms && this.nextNs < ns)
  }

  /** Plays the next tick, or shows the feeds that are due before it. */
  playNext(): void {
    this.#feeds?.emitDue(this.nextTime)
    if (this.#next !== undefined) this.#play(this.#next)
    this.#await()
  }

  /** Passes over the ticks known before a time, ms UTC and ns within that ms, and tells the fill model the latest. */
  skipUntil(ms: number, ns: number): void {
    this.#trades.skipUntil(ms, ns)
    this.#books.skipUntil(ms, ns)
    this.#know()
    this.#await()
  }

  #play(stream: TickStream): void {
    const { row, time } = stream
    const { mayTrade, market } = this.#replay
    if (mayTrade && this.#isBehind) this.#know()
    this.#isBehind = !mayTrade
    stream.moveTo(row + 1)
    if (mayTrade) market.tick(time, this.#lastPrice, row, stream.meet)
    if (this.#feeds !== undefined) stream.show(row)
  }

  #await(): void {
    const [trades, books] = [this.#trades, this.#books]
    const isBook = books.time < trades.time || (books.time === trades.time && books.ns < trades.ns)
    const next = isBook ? books : trades
    const due = this.#feeds?.nextDue ?? Number.POSITIVE_INFINITY
    const isFeed = due <= next.time && due !== Number.POSITIVE_INFINITY
    this.#next = isFeed ? undefined : next
    this.nextTime = isFeed ? due : next.time
    this.nextNs = isFeed ? FEED : next.ns
  }

  /** Tells the fill model the order book and the last price. */
  #know(): void {
    const { row } = this.#books
    const book = row === 0 ? undefined : this.#observations.book(row - 1)
    this.#replay.market.tickModel?.know(book, this.#lastPrice)
    this.#isBehind = false
  }

  /** Price of the latest trade, quote per base; NaN before the first. */
  get #lastPrice(): number {
    return this.#price[this.#trades.row - 1] ?? Number.NaN
  }
}
