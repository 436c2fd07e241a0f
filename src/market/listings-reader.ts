import type { SchedulerLike } from 'rxjs'
import { SluiceError } from '../domain/sluice-error.ts'
import { type Listings, listingChanges, rulesOf, sameRulesOf } from './listing-changes.ts'
import type { MarketFact } from './market-event.ts'
import { type Market, streamOf } from './market-subscription.ts'
import type { PeriodicPace } from './periodic-pace.ts'
import type { PollReader, Reading } from './poll-reader.ts'

/** What a listings reader reads with. */
export interface ListingsReaderOptions {
  readonly market: Market
  /** What whoever reads goes by, as far as it does. */
  readonly known: Listings | undefined
  readonly pace: PeriodicPace
  /** What is listed, by symbol, with all its fields. */
  readonly ask: () => Promise<readonly (readonly [symbol: string, listed: object])[]>
  readonly scheduler: SchedulerLike
}

const NOTHING_KNOWN: Listings = new Map()

/** Reads what a market lists and tells what has changed since the last time; the first answer says how it was, and what differs from what is known already. */
export class ListingsReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: ListingsReaderOptions
  #listings: Listings | undefined

  constructor(options: ListingsReaderOptions) {
    this.#options = options
    this.streams = [streamOf({ type: 'listings', market: options.market })]
  }

  dueAt(now: number): number {
    return this.#options.pace.dueAt(now)
  }

  async read(): Promise<() => Reading> {
    this.#options.pace.begin()
    const listed = await this.#options.ask()
    if (listed.length === 0) throw emptyList(this.#options.market)
    return () => this.#take(new Map(listed.map(([symbol, fields]) => [symbol, rulesOf(fields)])))
  }

  #take(after: Listings): Reading {
    const { market, known = NOTHING_KNOWN, pace, scheduler } = this.#options
    const changes =
      this.#listings === undefined
        ? listingChanges(known, sameRulesOf(after, known))
        : listingChanges(this.#listings, after)
    this.#listings = after
    const events = changes.map((found): MarketFact => ({ type: 'listingChanged', market, ...found }))
    const dueAt = scheduler.now() + pace.everyMs
    return { events, alive: this.streams.map(stream => ({ stream, dueAt })) }
  }
}

/** More likely a fault than the end of all trading. */
function emptyList(market: Market): SluiceError {
  return new SluiceError(`The exchange lists nothing at all on ${market}; the list is read again.`, {
    code: 'NOTHING_LISTED',
    reaction: 'skip',
  })
}
