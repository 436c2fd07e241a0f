import type { DepthLevel } from '../../src/domain/market-data/depth.ts'
import type { MarketDataEvent } from '../../src/domain/market-data/market-data.ts'
import type { Trade } from '../../src/domain/market-data/trade.ts'
import type { Side } from '../../src/domain/orders/side.ts'
import { type BookColumns, levelsAt } from '../../src/klines/formats/book-columns.ts'
import type { Feed } from '../../src/strategy/feeds/feeds.ts'
import { RollingDay } from './rolling-day.ts'

/** Feeds that recorded trades and order books can fill. */
const KINDS = ['trades', 'ticker', 'depth'] as const
type Kind = (typeof KINDS)[number]

/** Interval of a kind of feed, and its next time. */
interface Pace {
  readonly kind: Kind
  readonly everyMs: number
  /** ms UTC. */
  due: number
  /** True while it has data not yet shown. */
  isNew: boolean
}

/** Takes an event at a market time, ms UTC. */
export type OnTickEvent = (event: MarketDataEvent, time: number) => void

/**
 * Emits the feeds `trades`, `ticker` and `depth` from recorded data, as polls would: every `everyMs`, counted
 * from 1970, the data known before that moment, if any is new.
 */
export class TickFeeds {
  readonly #symbol: string
  readonly #onEvent: OnTickEvent
  readonly #paces: readonly Pace[]
  readonly #day = new RollingDay()
  /** Trades that were not shown. */
  #trades: Trade[] = []
  #last = Number.NaN
  readonly #books: BookColumns | undefined
  /** Row of the latest order book. */
  #book: number | undefined
  /** Levels that the strategy wants, a side. */
  readonly #levels: number

  /** Data before `start` (ms UTC) is not shown. */
  constructor(
    { symbol, books }: { readonly symbol: string; readonly books: BookColumns | undefined },
    feeds: readonly Feed[],
    start: number,
    onEvent: OnTickEvent,
  ) {
    this.#symbol = symbol
    this.#books = books
    this.#levels = Math.max(0, ...feeds.map(feed => (feed.type === 'depth' ? feed.levels : 0)))
    this.#onEvent = onEvent
    this.#paces = KINDS.flatMap(kind => {
      const wanted = feeds.flatMap(feed => (feed.type === kind ? [feed.everyMs] : []))
      if (wanted.length === 0) return []
      const everyMs = Math.min(...wanted)
      return [{ kind, everyMs, due: Math.ceil(start / everyMs) * everyMs, isNew: false }]
    })
  }

  /** True if the strategy follows no feed. */
  get areNone(): boolean {
    return this.#paces.length === 0
  }

  /** When the next feed with new data is due, ms UTC; infinite if none is. */
  get nextDue(): number {
    let next = Number.POSITIVE_INFINITY
    for (const { due, isNew } of this.#paces) if (isNew && due < next) next = due
    return next
  }

  /** Takes in a trade. */
  observeTrade(trade: Trade): void {
    this.#last = trade.price
    this.#day.add(trade.time, trade.price, trade.quantity)
    this.#trades.push(trade)
    this.#note('trades', 'ticker')
  }

  /** Takes in the order book of a row. */
  observeBook(row: number): void {
    this.#book = row
    this.#note('ticker', 'depth')
  }

  /** Shows all feeds due by `time` (ms UTC), in order of time; events of that time must be added after it. */
  emitDue(time: number): void {
    for (;;) {
      const next = this.#paces.reduce<Pace | undefined>(
        (first, pace) =>
          pace.due <= time && pace.due < (first?.due ?? Number.POSITIVE_INFINITY) ? pace : first,
        undefined,
      )
      if (next === undefined) return
      const { due, everyMs, isNew } = next
      // Until `time` there is no other new data to show.
      next.due = (Math.floor(time / everyMs) + 1) * everyMs
      next.isNew = false
      if (isNew) this.#show(next.kind, due)
    }
  }

  #note(...kinds: readonly Kind[]): void {
    for (const pace of this.#paces) if (kinds.includes(pace.kind)) pace.isNew = true
  }

  #show(kind: Kind, time: number): void {
    if (kind === 'trades') this.#showTrades(time)
    else if (kind === 'ticker') this.#showTicker(time)
    else this.#showDepth(time)
  }

  #levelsOf(side: Side, most: number): readonly DepthLevel[] {
    return this.#books === undefined || this.#book === undefined
      ? []
      : levelsAt(this.#books, side, this.#book, most)
  }

  #showTrades(time: number): void {
    const trades = this.#trades
    this.#trades = []
    for (const trade of trades) this.#onEvent({ type: 'publicTradeSeen', symbol: this.#symbol, trade }, time)
  }

  #showTicker(time: number): void {
    if (Number.isNaN(this.#last)) return
    const { high, low, volume } = this.#day
    const [bid, ask] = [this.#levelsOf('buy', 1)[0]?.price, this.#levelsOf('sell', 1)[0]?.price]
    const ticker = { time, last: this.#last, bid, ask, high, low, volume }
    this.#onEvent({ type: 'tickerSeen', symbol: this.#symbol, ticker }, time)
  }

  #showDepth(time: number): void {
    const bookTime = this.#book === undefined ? undefined : this.#books?.time[this.#book]
    if (bookTime === undefined) return
    const [bids, asks] = [this.#levelsOf('buy', this.#levels), this.#levelsOf('sell', this.#levels)]
    this.#onEvent({ type: 'depthSeen', symbol: this.#symbol, depth: { time: bookTime, bids, asks } }, time)
  }
}
