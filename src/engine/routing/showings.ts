import type { HistorySeen, KlineClosed } from '../../domain/events/engine-event.ts'
import type { EngineOutput } from '../../domain/events/engine-output.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../../domain/market-data/kline-series.ts'
import type { MarketDataEvent } from '../../domain/market-data/market-data.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Datum } from '../../strategy/feeds/feeds.ts'
import type { EngineRisk } from '../risk/engine-risk.ts'
import type { Decided, Desk } from '../strategy/desk.ts'
import type { DeskFeed } from '../strategy/desk-feed.ts'
import { disableFailed } from './failed-desk.ts'
import type { Follower, Followers } from './followers.ts'
import { shownData } from './shown-data.ts'
import type { Traders } from './traders.ts'

/** What closing klines one after another came to; commands only from the last. */
export interface ClosedKlines extends Readonly<Omit<Decided, 'outputs'>> {
  readonly outputs: readonly EngineOutput[]
  /** The row after the last that was closed. */
  readonly next: number
}

/** What is shown, and whom it concerns. */
export interface ShowingsOptions {
  readonly ledger: Ledger
  readonly risk: EngineRisk
  readonly desks: readonly Desk[]
  readonly traders: Traders
  readonly followers: Followers
}

const NOTHING: readonly EngineOutput[] = []
/** Where nothing is ever put in. */
const NO_OUTPUTS: EngineOutput[] = []

/**
 * Shows strategies the market: klines that close, and what their feeds tell. A bot shows everybody what an event tells
 * (`showAll…`); a replay shows each book what it has to see next, which comes to the same where nobody else follows it.
 */
export class Showings {
  readonly #ledger: Ledger
  readonly #risk: EngineRisk
  readonly #desks: readonly Desk[]
  readonly #traders: Traders
  readonly #followers: Followers
  /** Whether one strategy trades one instrument, and follows nothing else. */
  readonly #isAlone: boolean

  constructor({ ledger, risk, desks, traders, followers }: ShowingsOptions) {
    this.#ledger = ledger
    this.#risk = risk
    this.#desks = desks
    this.#traders = traders
    this.#followers = followers
    this.#isAlone = traders.all.length === 1 && desks.every(desk => desk.feeds.length === 0)
  }

  /** All decide on a kline as it is, and what one decides counts for the next: it may use the same money. */
  showAllKline({ symbol, interval, kline }: KlineClosed): readonly EngineOutput[] {
    const followers = this.#followers.ofKlines(symbol, interval)
    const [first] = followers
    if (followers.length === 1 && first !== undefined) return this.#closeFor(first, kline)
    return followers.flatMap(follower => this.#closeFor(follower, kline))
  }

  /** All see a kline that they do not decide on. */
  showAllHistory({ symbol, interval, kline }: HistorySeen): void {
    this.#mark(symbol, kline)
    for (const { desk, feed } of this.#followers.ofKlines(symbol, interval)) {
      if (feed === undefined) desk.seeHistory(kline)
      else feed.update(kline)
    }
  }

  /** All see a datum that is no kline. */
  showAllData(event: MarketDataEvent): readonly EngineOutput[] {
    const { type, datum } = shownData(event)
    const out: EngineOutput[] = []
    for (const { desk, feed } of this.#followers.ofData(type, event.symbol)) {
      if (feed !== undefined) this.#show(desk, feed, datum, datum.time, out)
    }
    return out
  }

  /**
   * Tells the indicators of a book's strategy which klines will be closed next (rows `from` to `to - 1`), so that they can
   * compute them in one go. A replay may say so for speed; nothing that follows from an event changes by it.
   */
  announce(book: string, klines: KlineSeries, from: number, to: number): void {
    const { desk, market } = this.#traders.of(book)
    if (market.role === undefined) desk.announce(klines, from, to)
  }

  /**
   * Closes the klines of the rows `from` to `to - 1` for one book, up to the first that leads to a command. A replay whose
   * orders all rest elsewhere goes through quiet stretches in this one loop.
   */
  closeKlines(book: string, klines: KlineSeries, from: number, to: number, takesLone = false): ClosedKlines {
    const { desk } = this.#traders.of(book)
    const cursor: KlineCursor = { klines, next: from }
    while (cursor.next < to) {
      if (this.#isAlone && !this.#isWatched && desk.isDeciding)
        return this.#closeDecided(desk, cursor, to, takesLone)
      const outputs = this.#close(desk, new KlineRow(klines, cursor.next++))
      if (outputs.length > 0) return { next: cursor.next, outputs, lone: undefined, loneSignals: 0 }
    }
    return { next: to, outputs: NOTHING, lone: undefined, loneSignals: 0 }
  }

  /** Closes one kline for one book: that of a strategy's own market, or of one of its roles. */
  closeKline(book: string, kline: Kline): readonly EngineOutput[] {
    const { desk, market } = this.#traders.of(book)
    const feeds = desk.feedsOf(market)
    if (feeds.length === 0) return this.#close(desk, kline)
    const before = feeds.flatMap(feed => this.#closeFeed(desk, feed, kline))
    return market.role === undefined ? [...before, ...this.#close(desk, kline)] : before
  }

  /** Shows one datum of one feed to the `index`-th desk. */
  showFeed(index: number, feed: DeskFeed, datum: Datum): readonly EngineOutput[] {
    const desk = this.#desks[index]
    if (desk === undefined) return NOTHING
    if ('openTime' in datum) return this.#closeFeed(desk, feed, datum)
    const out: EngineOutput[] = []
    this.#show(desk, feed, datum, datum.time, out)
    return out
  }

  #closeDecided(desk: Desk, cursor: KlineCursor, to: number, takesLone: boolean): ClosedKlines {
    const outputs: EngineOutput[] = []
    const decided = { next: 0, outputs, lone: undefined, loneSignals: 0 }
    try {
      desk.closeKlines(cursor, to, takesLone, decided)
    } catch (error) {
      disableFailed(desk, error, outputs)
    }
    decided.next = cursor.next
    return decided
  }

  #closeFor({ desk, feed }: Follower, kline: Kline): readonly EngineOutput[] {
    return feed === undefined ? this.#close(desk, kline) : this.#closeFeed(desk, feed, kline)
  }

  #close(desk: Desk, kline: Kline): readonly EngineOutput[] {
    this.#mark(desk.symbol, kline)
    const before: EngineOutput[] = this.#isWatched ? [] : NO_OUTPUTS
    if (this.#isWatched) this.#watch(desk.symbol, closeTimeOf(kline.openTime, desk.interval), kline, before)
    try {
      const outputs = desk.closeKline(kline) ?? NOTHING
      return before.length === 0 ? outputs : [...before, ...outputs]
    } catch (error) {
      const out: EngineOutput[] = [...before]
      disableFailed(desk, error, out)
      return out
    }
  }

  #closeFeed(desk: Desk, feed: DeskFeed, kline: Kline): readonly EngineOutput[] {
    const { symbol, feed: of } = feed.followed
    if (of.type !== 'klines') return NOTHING
    this.#mark(symbol, kline)
    const time = closeTimeOf(kline.openTime, of.interval)
    const out: EngineOutput[] = []
    if (this.#isWatched) this.#watch(symbol, time, kline, out)
    this.#show(desk, feed, kline, time, out)
    return out
  }

  #show(desk: Desk, feed: DeskFeed, datum: Datum, time: number, out: EngineOutput[]): void {
    this.#risk.end(time, out)
    try {
      desk.showFeed(feed, datum, time, out)
    } catch (error) {
      disableFailed(desk, error, out)
    }
  }

  /** Whether a kline can change what holds trading back. */
  get #isWatched(): boolean {
    return this.#risk.isWatching || this.#risk.nextEnd !== Number.POSITIVE_INFINITY
  }

  /** What holds trading back from a kline's close on: settled before anybody decides on it. */
  #watch(symbol: string, time: number, kline: Kline, out: EngineOutput[]): void {
    this.#risk.end(time, out)
    if (!this.#risk.isWatching) return
    this.#ledger.seeClose(symbol, kline.close)
    this.#risk.mark(symbol, time, out)
  }

  /** Shows other desks what an instrument is worth now, for they share the account; a lone desk marks its own when it asks. */
  #mark(symbol: string, kline: Kline): void {
    if (!this.#isAlone) this.#ledger.seeClose(symbol, kline.close)
  }
}
