import { tradeAt } from '../../src/klines/formats/book-columns.ts'
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
 * Plays everything recorded of one market, one row at a time, in the order in which it became known; of one moment mark
 * prices come first, then trades, order books and gaps. Feeds that are due at a time are shown before what became known
 * then.
 */
export class TickPlayer {
  /** When the next tick or feed is due: ms UTC, infinite at the end, and ns within that ms. */
  nextTime = Number.POSITIVE_INFINITY
  nextNs = 0
  readonly #replay: Replay
  readonly #observations: TickObservations
  readonly #feeds: TickFeeds | undefined
  readonly #ticks: TickData
  readonly #marks: TickStream | undefined
  readonly #trades: TickStream
  readonly #books: TickStream | undefined
  /** Those that there are, in their order at one moment. */
  readonly #streams: readonly TickStream[]
  /** `undefined` if a feed is due. */
  #next: TickStream | undefined
  /** True if the fill model was not told the latest ticks. */
  #isBehind = true

  constructor({ replay, ticks, observations, start, feeds }: TickPlayerOptions) {
    const { trades, books, marks, gaps } = ticks
    const { market } = replay
    this.#replay = replay
    this.#observations = observations
    this.#feeds = feeds
    this.#ticks = ticks
    const showNothing = () => {}
    this.#marks =
      marks &&
      new TickStream(
        { ms: marks.arrival?.ms ?? marks.time, ns: marks.arrival?.ns, nsWithout: TRADE },
        () => {},
        showNothing,
      )
    this.#trades = new TickStream(
      { ms: trades.arrival?.ms ?? trades.time, ns: trades.arrival?.ns, nsWithout: TRADE },
      (row, at) => market.tickModel?.observeTrade(observations.trade(row), at),
      row => feeds?.observeTrade(tradeAt(trades, row)),
    )
    this.#books =
      books &&
      new TickStream(
        { ms: books.arrival?.ms ?? books.time, ns: books.arrival?.ns, nsWithout: BOOK },
        (row, at) => market.tickModel?.observeBook(observations.book(row), at),
        row => feeds?.observeBook(row),
      )
    const gapStream =
      gaps &&
      new TickStream(
        { ...gaps.arrival, nsWithout: BOOK },
        (row, at) => market.tickModel?.observeGap(observations.gap(row), at),
        showNothing,
      )
    this.#streams = [this.#marks, this.#trades, this.#books, gapStream].filter(stream => stream !== undefined)
    this.skipUntil(start, 0)
    if (this.#bookRow >= 0) feeds?.observeBook(this.#bookRow)
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
    for (const stream of this.#streams) stream.skipUntil(ms, ns)
    this.#know()
    this.#await()
  }

  #play(stream: TickStream): void {
    const { row, time } = stream
    const { mayTrade, market } = this.#replay
    if (mayTrade && this.#isBehind) this.#know()
    this.#isBehind = !mayTrade
    stream.moveTo(row + 1)
    if (mayTrade) market.tick(time, market.watch === undefined ? Number.NaN : this.#mark, row, stream.meet)
    if (this.#feeds !== undefined) stream.show(row)
  }

  #await(): void {
    let next: TickStream | undefined
    for (const stream of this.#streams) if (next === undefined || stream.isBefore(next)) next = stream
    const time = next?.time ?? Number.POSITIVE_INFINITY
    const due = this.#feeds?.nextDue ?? Number.POSITIVE_INFINITY
    const isFeed = due <= time && due !== Number.POSITIVE_INFINITY
    this.#next = isFeed ? undefined : next
    this.nextTime = isFeed ? due : time
    this.nextNs = isFeed ? FEED : (next?.ns ?? 0)
  }

  /** Tells the fill model the order book and the last price. */
  #know(): void {
    this.#replay.market.tickModel?.know(this.#observations.book(this.#bookRow), this.#lastPrice)
    this.#isBehind = false
  }

  /** Row of the latest order book, or -1. */
  get #bookRow(): number {
    return (this.#books?.row ?? 0) - 1
  }

  /** Price of the latest trade, quote per base; NaN before the first. */
  get #lastPrice(): number {
    return this.#ticks.trades.price[this.#trades.row - 1] ?? Number.NaN
  }

  /** Price by which a contract counts: the latest recorded mark price, else the latest trade, else the middle of the order book. */
  get #mark(): number {
    const recorded = this.#ticks.marks?.price[(this.#marks?.row ?? 0) - 1]
    if (recorded !== undefined) return recorded
    return Number.isNaN(this.#lastPrice) ? this.#observations.middle(this.#bookRow) : this.#lastPrice
  }
}
