import type { BotConfig, PaperVenueConfig } from '../../config/bot-config.ts'
import { mainUrlOf } from '../../config/profiles/profile-field.ts'
import type { Clock } from '../../domain/clock.ts'
import type { PublicClient } from '../../exchange/public-client.ts'
import type { SpotSymbol } from '../../exchange/spot/spot-symbol.ts'
import type { StreamFresh, StreamStale } from '../../market/market-event.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'
import type { MarketObservation } from '../../simulator/live/market-observation.ts'
import type { SimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { GapMinutes } from './gap-minutes.ts'
import { MarketSilence } from './market-silence.ts'
import { NoBooksError } from './no-books-error.ts'
import { hasMinutes, type PaperMarket, paperPlan } from './paper-market.ts'
import { pairRules } from './paper-rules.ts'
import type { PaperSession } from './paper-session.ts'
import { type FeedGap, PublicFeed } from './public-feed.ts'
import { unreadText } from './unread-text.ts'

export interface PaperFeedOptions {
  readonly venue: PaperVenueConfig
  readonly markets: readonly PaperMarket[]
  readonly polling: BotConfig['polling']
  readonly upstream: PublicClient
  /** The host's clock. */
  readonly clock: Clock
  /** Paces the polls; monotonic. */
  readonly pace: Clock
  readonly exchange: SimulatedExchange
  readonly session: PaperSession
  readonly random: () => number
}

const LOOK_EVERY_MS = 1000
/** Longest wait for the first prices of a start, ms. */
const FIRST_PRICES_MS = 2000
const NOT_LISTED = (symbol: string) => `does not list ${symbol} any more`
const CLOSED = (symbol: string) => `lists ${symbol} as closed`
const AWAY = 'The bot was not running.'
/** Streams besides order books, with the words for each; the lists are told by what follows from them. */
const TOLD_STREAMS: Readonly<Record<string, (symbol: string) => string>> = {
  trades: symbol => `the public trades of ${symbol}`,
  ticker: symbol => `the ticker of ${symbol}`,
  indexPrice: symbol => `the mark price of ${symbol}`,
  klines: symbol => `the minutes of ${symbol}`,
  listings: () => 'its list of instruments',
}

/** Carries what a host tells to the paper exchange, and records it. */
export class PaperFeed {
  readonly #options: PaperFeedOptions
  readonly #feed: PublicFeed
  readonly #gaps: GapMinutes
  readonly #silence: MarketSilence
  readonly #shown = new Set<string>()
  /** Symbols of which the host told a trade or a last price. */
  readonly #priced = new Set<string>()
  /** Instruments that do not trade at the host. */
  readonly #halted = new Set<string>()
  /** Takes the begin and the end of what the host lacks, a whole sentence. */
  onSilence: ((sentence: string) => void) | undefined
  #pairs = new Map<string, SpotSymbol>()
  #cancelLook: () => void = () => undefined

  constructor(options: PaperFeedOptions) {
    this.#options = options
    const { venue, markets, polling, upstream, pace, random, exchange, session } = options
    const plan = paperPlan(markets, venue, polling.weightPerMinute)
    this.#silence = new MarketSilence({
      ...{ markets, everyMs: longestPeriod(plan), now: () => pace.now() },
      onChange: sentence => this.#tell(sentence),
    })
    exchange.onSessionRow(row => {
      session.note(row)
      this.#flush()
    })
    this.#gaps = new GapMinutes({
      upstream,
      clock: pace,
      hasMinutes: gap => hasMinutes(gap, venue.profile),
      onMinutes: ({ symbol, from, until, reason }, minutes) =>
        this.#observe({ kind: 'gap', symbol, from, until, reason, minutes }),
    })
    this.#feed = new PublicFeed({
      ...{ plan, upstream, clock: pace, random, levels: venue.levels, staleAfterMs: polling.staleAfterMs },
      observe: observation => this.#observe(observation),
      onGap: gap => this.#gaps.judge(gap),
      oldestBookMs: polling.staleAfterMs,
      onListings: market => this.#relistSafely(market),
      onTrouble: (stream, sentence) => this.#failed(stream, sentence),
      onSilence: silence => this.#streamSilent(silence),
    })
  }

  /** Begins to read; with `awaySince` (ms UTC) the time since then is judged by the host's minutes. */
  start(awaySince: number | undefined): void {
    const { markets } = this.#options
    this.#relistSafely('spot')
    this.#feed.start()
    this.#lookLater()
    if (awaySince === undefined) return
    for (const market of markets)
      this.#gaps.judge({ ...market, from: awaySince, until: this.#now, reason: AWAY } satisfies FeedGap)
  }

  /** A whole sentence while markets are silent. */
  get silence(): string | undefined {
    return this.#silence.state
  }

  /** Answers requests for the prices of a market that is silent; `undefined` for any other. */
  get silenceAnswer(): MarketSilence['answer'] {
    return this.#silence.answer
  }

  /** Ends the reads. */
  stop(): void {
    this.#feed.stop()
    this.#gaps.stop()
    this.#cancelLook()
  }

  /**
   * Resolves once every market has shown an order book, and a price, for which it waits less; rejects with
   * `NoBooksError` after `withinMs`.
   */
  async firstBooks(withinMs: number): Promise<void> {
    const { markets } = this.#options
    const without = (seen: ReadonlySet<string>) => markets.filter(({ symbol }) => !seen.has(symbol))
    await this.#waited(() => without(this.#shown).length === 0, withinMs)
    const missing = without(this.#shown)
    if (missing.length > 0) throw this.#noBooks(missing, withinMs)
    await this.#waited(() => without(this.#priced).length === 0, FIRST_PRICES_MS)
  }

  /** Resolves once something is so, or after `withinMs`. */
  async #waited(isSo: () => boolean, withinMs: number): Promise<void> {
    const { pace } = this.#options
    const end = pace.now() + withinMs
    while (!isSo() && pace.now() < end) await new Promise<void>(resolve => pace.schedule(20, resolve))
  }

  get #now(): number {
    return this.#options.clock.now()
  }

  #observe(observation: MarketObservation): void {
    const { exchange, session } = this.#options
    const now = this.#now
    session.observed(observation, now)
    this.#flush()
    try {
      exchange.observe(observation, now)
    } catch (error) {
      this.#trouble(
        `What the host told of ${observation.symbol} could not be used: ${error instanceof Error ? error.message : error}`,
      )
    }
    if (observation.kind === 'trades' || observation.kind === 'day') this.#priced.add(observation.symbol)
    if (observation.kind !== 'book') return
    this.#shown.add(observation.symbol)
    this.#silence.heard(observation.symbol)
  }

  /**
   * Writes the record before the account, whose write waits for the disk: a killed process leaves both of one
   * moment. An account is not left half booked where the record cannot be written: the next look fails then.
   */
  #flush(): void {
    try {
      this.#options.session.flush()
    } catch {
      // Additions are kept for the next look.
    }
  }

  #tell(sentence: string): void {
    this.#trouble(sentence)
    this.onSilence?.(sentence)
  }

  /** The record names each reason once, until the stream is back. */
  #failed(stream: string, sentence: string): void {
    if (this.#silence.failed(stream, sentence)) this.#trouble(sentence)
  }

  #streamSilent({ type, stream, ageMs }: StreamStale | StreamFresh): void {
    const symbol = this.#options.markets.find(market => stream.endsWith(` ${market.symbol}`))?.symbol
    const [, kind = ''] = stream.split(' ')
    const what = TOLD_STREAMS[kind]
    if (what === undefined) return
    if (type === 'fresh') this.#silence.streamFresh(stream, ageMs)
    else this.#silence.streamStale(stream, { symbol, what: what(symbol ?? ''), ageMs })
  }

  #noBooks(markets: readonly PaperMarket[], withinMs: number): NoBooksError {
    return new NoBooksError(
      markets.map(market => ({ ...market, reason: this.#silence.reasonOf(market) })),
      withinMs,
      mainUrlOf(this.#options.venue),
    )
  }

  #trouble(sentence: string): void {
    this.#options.session.note({ type: 'trouble', at: this.#now, sentence })
  }

  /** A list that could not be read is read with the next change. */
  #relistSafely(market: PaperMarket['market']): void {
    this.#relist(market).catch(error =>
      this.#trouble(`The list of the ${market} host could not be read. ${unreadText(error)}`),
    )
  }

  /** Reads the list of pairs or contracts, and passes changed rules on. */
  async #relist(market: PaperMarket['market']): Promise<void> {
    const { markets, upstream } = this.#options
    const followed = markets.filter(one => one.market === market)
    if (followed.length === 0) return
    if (market === 'futures') {
      const listed = new Map((await upstream.futures.contracts()).map(one => [one.contractName, one]))
      for (const { symbol } of followed) {
        const contract = listed.get(symbol)
        const isTrading = contract?.isTradable === true
        this.#tellTrading(symbol, isTrading, contract === undefined ? NOT_LISTED : CLOSED)
        this.#observe({ kind: 'rules', symbol, rules: { isTrading } })
      }
      return
    }
    const listed = new Map((await upstream.spot.symbols()).map(pair => [pair.symbol, pair]))
    for (const { symbol } of followed) {
      const before = this.#pairs.get(symbol)
      const now = listed.get(symbol)
      this.#tellTrading(symbol, now !== undefined, NOT_LISTED)
      if (before !== undefined) this.#observe({ kind: 'rules', symbol, rules: pairRules(before, now) })
      if (now !== undefined) this.#pairs.set(symbol, now)
    }
  }

  /** Tells that an instrument stopped to trade, for a reason, or trades again. */
  #tellTrading(symbol: string, isTrading: boolean, reason: (symbol: string) => string): void {
    if (isTrading === !this.#halted.has(symbol)) return
    if (isTrading) {
      this.#halted.delete(symbol)
      this.#tell(`The host lists ${symbol} as trading again: it takes orders, and what rests there can fill.`)
      return
    }
    this.#halted.add(symbol)
    this.#tell(`The host ${reason(symbol)}: it takes no orders there, and what rests there waits.`)
  }

  #lookLater(): void {
    this.#cancelLook = this.#options.pace.schedule(LOOK_EVERY_MS, () => {
      this.#silence.look()
      this.#options.session.flush()
      this.#lookLater()
    })
  }
}

function longestPeriod({ polls }: PollPlan): number {
  return Math.max(
    ...polls.map(poll => (poll.type === 'periodic' && poll.work.type === 'depth' ? poll.timing.everyMs : 0)),
  )
}
