import { type Ticks, ticks } from '../../domain/numbers/grid.ts'
import type { Print } from '../prices/print.ts'
import type { Quotes } from '../prices/quotes.ts'
import type { FeedPosition, MarketFeed } from './market-feed.ts'

/** A shifted feed as plain data. */
export interface ShiftedFeedState {
  readonly position: FeedPosition
  readonly factor: number
}

/** A feed with a price level that can be shifted: all later prices are scaled by the same factor. */
export class ShiftedFeed {
  readonly #feed: MarketFeed
  /** Factor of the feed's prices. */
  #factor: number

  constructor(feed: MarketFeed, factor = 1) {
    this.#feed = feed
    this.#factor = factor
  }

  dump(): ShiftedFeedState {
    return { position: this.#feed.position, factor: this.#factor }
  }

  /** When the market moves next, ms UTC; `undefined` once it has ended. */
  get nextAt(): number | undefined {
    return this.#movesQuotesFirst ? this.#feed.nextQuotes?.time : this.#feed.next?.time
  }

  /** Takes the next print; `undefined` where the quotes move before. */
  takePrint(): Print | undefined {
    const { next } = this.#feed
    if (next === undefined || this.#movesQuotesFirst) return undefined
    this.#feed.skip()
    return this.#factor === 1 ? next : { ...next, price: scaled(next.price, this.#factor) }
  }

  /** Takes the next change of the quotes; `undefined` where the market trades before, or at the same time. */
  takeQuotes(): Quotes | undefined {
    const { nextQuotes } = this.#feed
    if (nextQuotes === undefined || !this.#movesQuotesFirst) return undefined
    this.#feed.skipQuotes()
    return scaledQuotes(nextQuotes, this.#factor)
  }

  /** Multiplies all later prices. */
  shift(factor: number): void {
    this.#factor *= factor
  }

  get #movesQuotesFirst(): boolean {
    const { next, nextQuotes } = this.#feed
    return nextQuotes !== undefined && (next === undefined || nextQuotes.time < next.time)
  }
}

/** The same quotes with their prices multiplied; they stay at least a tick apart. */
export function scaledQuotes(quotes: Quotes, factor: number): Quotes {
  if (factor === 1) return quotes
  const bid = scaled(quotes.bid, factor)
  return { ...quotes, bid, ask: ticks(Math.max(bid + 1, scaled(quotes.ask, factor))) }
}

function scaled(price: Ticks, factor: number): Ticks {
  return ticks(Math.max(1, Math.round(price * factor)))
}
