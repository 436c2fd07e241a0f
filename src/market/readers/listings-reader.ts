import type { SchedulerLike } from 'rxjs'
import { SluiceError } from '../../domain/sluice-error.ts'
import { type Listings, listedRulesOf, listingChanges, sameRulesOf } from '../listing-changes.ts'
import type { MarketFact } from '../market-event.ts'
import { type Market, streamOf } from '../market-subscription.ts'
import type { PeriodicPace } from '../polls/periodic-pace.ts'
import type { PollReader, Reading } from '../polls/poll-reader.ts'

export interface ListingsReaderOptions {
  readonly market: Market
  /** Rules that the subscriber already uses. */
  readonly known: Listings | undefined
  readonly pace: PeriodicPace
  /** Listed symbols with all their fields. */
  readonly ask: () => Promise<readonly (readonly [symbol: string, listed: object])[]>
  readonly scheduler: SchedulerLike
}

const NOTHING_KNOWN: Listings = new Map()
/** Pause before a change is confirmed by a second read, ms. */
const SECOND_LOOK_MS = 5000

type Change = ReturnType<typeof listingChanges>[number]

/**
 * Reads a market's list and emits changes since the last read; the first answer is compared with the known
 * rules. A change is emitted only after a second read, soon after the first, confirms it, so that one odd
 * answer changes nothing.
 */
export class ListingsReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: ListingsReaderOptions
  #listings: Listings | undefined
  /** Changes not yet confirmed, by symbol, as text. */
  #doubted: ReadonlyMap<string, string> = new Map()
  /** Time of the second read, ms of the scheduler's clock. */
  #secondLookAt: number | undefined

  constructor(options: ListingsReaderOptions) {
    this.#options = options
    this.streams = [streamOf({ type: 'listings', market: options.market })]
  }

  dueAt(now: number): number {
    return Math.min(this.#options.pace.dueAt(now), this.#secondLookAt ?? Number.POSITIVE_INFINITY)
  }

  async read(): Promise<() => Reading> {
    this.#options.pace.begin()
    const listed = await this.#options.ask()
    if (listed.length === 0) throw emptyList(this.#options.market)
    return () => this.#take(new Map(listed.map(([symbol, fields]) => [symbol, listedRulesOf(fields)])))
  }

  #take(after: Listings): Reading {
    const { market, known = NOTHING_KNOWN, pace, scheduler } = this.#options
    const changes =
      this.#listings === undefined
        ? listingChanges(known, sameRulesOf(after, known))
        : listingChanges(this.#listings, after)
    const confirmed = this.#confirmed(changes)
    const events = confirmed.map((found): MarketFact => ({ type: 'listingChanged', market, ...found }))
    const isSettled = confirmed.length === changes.length
    if (isSettled) this.#listings = after
    else if (this.#listings !== undefined) this.#listings = withChanges(this.#listings, after, confirmed)
    const now = scheduler.now()
    this.#secondLookAt = isSettled ? undefined : now + SECOND_LOOK_MS
    const dueAt = Math.min(now + pace.everyMs, this.#secondLookAt ?? Number.POSITIVE_INFINITY)
    return { events, alive: this.streams.map(stream => ({ stream, dueAt })) }
  }

  /** Changes that the previous read showed too; for the first list all or none. */
  #confirmed(changes: readonly Change[]): readonly Change[] {
    const doubted = this.#doubted
    this.#doubted = new Map(changes.map(found => [found.symbol, JSON.stringify(found)]))
    const confirmed = changes.filter(found => doubted.get(found.symbol) === JSON.stringify(found))
    return this.#listings === undefined && confirmed.length < changes.length ? [] : confirmed
  }
}

/** The earlier list with some changes applied. */
function withChanges(before: Listings, after: Listings, changes: readonly Change[]): Listings {
  const listings = new Map(before)
  for (const { symbol } of changes) {
    const rules = after.get(symbol)
    if (rules === undefined) listings.delete(symbol)
    else listings.set(symbol, rules)
  }
  return listings
}

/** An empty list is more likely a fault than the end of all trading. */
function emptyList(market: Market): SluiceError {
  return new SluiceError(`The exchange lists nothing at all on ${market}; the list is read again.`, {
    code: 'NOTHING_LISTED',
    reaction: 'skip',
  })
}
