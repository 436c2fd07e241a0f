import type { BotConfig, PaperVenueConfig } from '../../config/bot-config.ts'
import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { PublicClient } from '../../exchange/public-client.ts'
import type { SpotSymbol } from '../../exchange/spot/spot-symbol.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'
import type { MarketObservation } from '../../simulator/live/market-observation.ts'
import type { SimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { GapMinutes } from './gap-minutes.ts'
import { MarketSilence } from './market-silence.ts'
import { hasMinutes, type PaperMarket, paperPlan } from './paper-market.ts'
import { pairRules } from './paper-rules.ts'
import type { PaperSession } from './paper-session.ts'
import { type FeedGap, PublicFeed } from './public-feed.ts'

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
const AWAY = 'The bot was not running.'

/** Carries what a host tells to the paper exchange, and records it. */
export class PaperFeed {
  readonly #options: PaperFeedOptions
  readonly #feed: PublicFeed
  readonly #gaps: GapMinutes
  readonly #silence: MarketSilence
  readonly #shown = new Set<string>()
  /** Takes the begin and the end of a silence of the host, a whole sentence. */
  onSilence: ((sentence: string) => void) | undefined
  #pairs = new Map<string, SpotSymbol>()
  #cancelLook: () => void = () => undefined

  constructor(options: PaperFeedOptions) {
    this.#options = options
    const { venue, markets, polling, upstream, pace, random, exchange, session } = options
    const plan = paperPlan(markets, venue, polling.weightPerMinute)
    this.#silence = new MarketSilence({
      ...{ markets, everyMs: longestPeriod(plan), now: () => pace.now() },
      onChange: sentence => {
        this.#trouble(sentence)
        this.onSilence?.(sentence)
      },
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
      onListings: market => this.#relistSafely(market),
      onTrouble: sentence => this.#trouble(sentence),
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

  /** Resolves once every market has shown an order book; rejects with `UsageError` after `withinMs`. */
  async firstBooks(withinMs: number): Promise<void> {
    const { markets, pace } = this.#options
    const end = pace.now() + withinMs
    for (;;) {
      const missing = markets.filter(({ symbol }) => !this.#shown.has(symbol))
      if (missing.length === 0) return
      if (pace.now() >= end) throw noBooks(missing, withinMs)
      await new Promise<void>(resolve => pace.schedule(20, resolve))
    }
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

  #trouble(sentence: string): void {
    this.#options.session.note({ type: 'trouble', at: this.#now, sentence })
  }

  /** A list that could not be read is read with the next change. */
  #relistSafely(market: PaperMarket['market']): void {
    this.#relist(market).catch(() => this.#trouble(`The list of the ${market} host could not be read.`))
  }

  /** Reads the list of pairs or contracts, and passes changed rules on. */
  async #relist(market: PaperMarket['market']): Promise<void> {
    const { markets, upstream } = this.#options
    const followed = markets.filter(one => one.market === market)
    if (followed.length === 0) return
    if (market === 'futures') {
      const listed = new Map((await upstream.futures.contracts()).map(one => [one.contractName, one]))
      for (const { symbol } of followed)
        this.#observe({
          kind: 'rules',
          symbol,
          rules: { isTrading: listed.get(symbol)?.isTradable === true },
        })
      return
    }
    const listed = new Map((await upstream.spot.symbols()).map(pair => [pair.symbol, pair]))
    for (const { symbol } of followed) {
      const before = this.#pairs.get(symbol)
      const now = listed.get(symbol)
      if (before !== undefined) this.#observe({ kind: 'rules', symbol, rules: pairRules(before, now) })
      if (now !== undefined) this.#pairs.set(symbol, now)
    }
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

function noBooks(markets: readonly PaperMarket[], withinMs: number): UsageError {
  const names = markets.map(({ symbol }) => symbol).join(', ')
  return new UsageError(
    `The host showed no order book of ${names} within ${withinMs / 1000} s, so no order could be matched there. Look at the host with "npm run doctor", or trade other instruments.`,
  )
}
