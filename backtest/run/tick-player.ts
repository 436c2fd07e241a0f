import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { KlineRow } from '../../src/domain/market-data/kline-series.ts'
import { tradeAt } from '../../src/klines/formats/read-tick-file.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { TickFeeds } from '../ticks/tick-feeds.ts'
import type { TickObservations } from '../ticks/tick-observations.ts'
import type { Replay } from './replay.ts'

export interface TickPlayerOptions {
  readonly replay: Replay
  readonly ticks: TickData
  readonly observations: TickObservations
  /** The klines that the trades make. */
  readonly klines: KlineColumns
  readonly interval: Interval
  /** Feeds of the strategy besides klines. */
  readonly feeds: TickFeeds
}

/**
 * Plays recorded trades and order books in the order in which they became known, of one moment the trades first,
 * and closes the klines that the trades make.
 */
export class TickPlayer {
  readonly #options: TickPlayerOptions
  readonly #tradeTimes: Float64Array
  readonly #bookTimes: Float64Array
  #nextTrade: number
  #nextBook: number

  constructor(options: TickPlayerOptions) {
    this.#options = options
    const { trades, books } = options.ticks
    this.#tradeTimes = trades.arrival?.ms ?? trades.time
    this.#bookTimes = books?.arrival?.ms ?? books?.time ?? new Float64Array()
    const start = options.klines.openTime[0] ?? Number.POSITIVE_INFINITY
    this.#nextTrade = firstRowAtOrAfter(this.#tradeTimes, start)
    this.#nextBook = firstRowAtOrAfter(this.#bookTimes, start)
    this.#know()
    if (this.#nextBook > 0) options.feeds.observeBook(this.#nextBook - 1)
  }

  /** Plays what became known during a row's kline, and closes it; returns the next row. */
  playRow(row: number): number {
    const { replay, klines, interval, feeds } = this.#options
    const end = closeTimeOf(klines.openTime[row] as number, interval) // a row
    if (replay.mayTrade || !feeds.areNone) this.#playUntil(end)
    else this.#skipUntil(end)
    replay.close(new KlineRow(klines, row))
    return row + 1
  }

  #playUntil(end: number): void {
    for (;;) {
      const trade = this.#tradeTimes[this.#nextTrade] ?? Number.POSITIVE_INFINITY
      const book = this.#bookTimes[this.#nextBook] ?? Number.POSITIVE_INFINITY
      const next = Math.min(trade, book)
      // Feeds due at the very end are shown after the kline.
      this.#options.feeds.emitDue(Math.min(next, end - 1))
      if (next >= end) return
      if (trade < book || (trade === book && this.#isTradeFirst())) this.#playTrade(trade)
      else this.#playBook(book)
    }
  }

  /** The order of a trade and an order book that became known in the same ms. */
  #isTradeFirst(): boolean {
    const { trades, books } = this.#options.ticks
    if (trades.arrival === undefined || books?.arrival === undefined) return true
    return (trades.arrival.ns[this.#nextTrade] as number) <= (books.arrival.ns[this.#nextBook] as number) // rows
  }

  /** No order rests, and none can be placed before the kline closes. */
  #skipUntil(end: number): void {
    this.#nextTrade = firstRowAtOrAfter(this.#tradeTimes, end)
    this.#nextBook = firstRowAtOrAfter(this.#bookTimes, end)
    this.#know()
  }

  #playTrade(at: number): void {
    const { replay, observations, feeds, ticks } = this.#options
    const row = this.#nextTrade++
    const price = ticks.trades.price[row] as number // played, hence a row
    replay.tick(momentAt(at, price), () => {
      replay.market.tickModel?.observeTrade(observations.trade(row), at)
    })
    if (!feeds.areNone) feeds.observeTrade(tradeAt(ticks.trades, row))
  }

  #playBook(at: number): void {
    const { replay, observations, feeds } = this.#options
    const row = this.#nextBook++
    const price = this.#lastPrice
    if (!Number.isNaN(price))
      replay.tick(momentAt(at, price), () => {
        replay.market.tickModel?.observeBook(observations.book(row), at)
      })
    feeds.observeBook(row)
  }

  /** Tells the fill model the order book and the last price while nothing is played. */
  #know(): void {
    const { replay, observations } = this.#options
    const book = this.#nextBook === 0 ? undefined : observations.book(this.#nextBook - 1)
    replay.market.tickModel?.know(book, this.#lastPrice)
  }

  /** Price of the latest trade, quote per base; NaN before the first. */
  get #lastPrice(): number {
    return this.#options.ticks.trades.price[this.#nextTrade - 1] ?? Number.NaN
  }
}

/** A kline that ends as soon as it begins. */
function momentAt(openTime: number, price: number): Kline {
  return { openTime, open: price, high: price, low: price, close: price, volume: 0 }
}
