import type { Subscription } from 'rxjs'
import type { Clock } from '../../domain/clock.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { PublicClient } from '../../exchange/public-client.ts'
import { marketStreams } from '../../market/delivery/market-streams.ts'
import type { MarketClient } from '../../market/market-client.ts'
import type { DepthRead, MarketEvent, StreamFresh, StreamStale } from '../../market/market-event.ts'
import { streamOf } from '../../market/market-subscription.ts'
import { clockScheduler } from '../../market/polls/clock-scheduler.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'
import type { ToldBook } from '../../matching/told-market.ts'
import type { MarketObservation } from '../../simulator/live/market-observation.ts'
import { type Asked, toldBook, toldDay, toldTrade } from './market-observations.ts'
import type { PaperMarket } from './paper-market.ts'
import { unreadText } from './unread-text.ts'

/** A gap in what is known of a market. Times are ms UTC. */
export interface FeedGap extends PaperMarket {
  readonly from: number
  readonly until: number
  readonly reason: string
}

export interface PublicFeedOptions {
  readonly plan: PollPlan
  readonly upstream: PublicClient
  /** Paces the polls; monotonic. */
  readonly clock: Clock
  readonly levels: number
  readonly staleAfterMs: number
  /** Age of an order book, by the host's own time, from which it counts no more, ms. */
  readonly oldestBookMs: number
  readonly random: () => number
  /** Takes what the host tells. */
  readonly observe: (observation: MarketObservation) => void
  /** Takes a span of which trades are missing. */
  readonly onGap: (gap: FeedGap) => void
  /** A list has changed. */
  readonly onListings: (market: PaperMarket['market']) => void
  /** Takes a read that brought nothing that can be used, with the reason as a sentence. */
  readonly onTrouble: (stream: string, sentence: string) => void
  /** Takes the begin and the end of a silence of a stream. */
  readonly onSilence: (silence: StreamStale | StreamFresh) => void
}

/** Reason of the gap that every minute of a contract is. */
export const NO_TRADES = 'The host tells no public trades of contracts.'
const MINUTE = 60_000

/** Polls what a host tells in public, and hands it on as observations. */
export class PublicFeed {
  readonly #options: PublicFeedOptions
  readonly #asked = new Map<string, Asked>()
  #subscription: Subscription | undefined

  constructor(options: PublicFeedOptions) {
    this.#options = options
  }

  /** Begins to poll. */
  start(): void {
    const { plan, upstream, clock, random, staleAfterMs } = this.#options
    const { events$ } = marketStreams({
      plan,
      client: this.#timedClient(),
      scheduler: clockScheduler(clock),
      serverNow: upstream.serverNow,
      random,
      usage: () => upstream.state().calls.ip,
      staleAfterMs,
      mergeWaitMs: 0,
    })
    this.#subscription = events$.subscribe(event => this.#take(event))
  }

  /** Ends the polls. */
  stop(): void {
    this.#subscription?.unsubscribe()
  }

  #take(event: MarketEvent): void {
    const { observe, onGap, onListings, onTrouble, onSilence, levels } = this.#options
    switch (event.type) {
      case 'depth': {
        const asked = this.#asked.get(event.symbol)
        if (asked === undefined) return
        const roundTripMs = asked.receivedAt - asked.sentAt
        const book = toldBook(event.depth, asked, levels)
        const problem = this.#bookProblem(event, book, asked)
        if (problem !== undefined) onTrouble(streamOf({ ...event }), problem)
        else observe({ kind: 'book', symbol: event.symbol, roundTripMs, book })
        break
      }
      case 'trade':
        observe({ kind: 'trades', symbol: event.symbol, trades: [toldTrade(event.trade)] })
        break
      case 'tradesMissed': {
        const [from, until] = [event.after.time, event.before.time]
        const reason = 'More trades happened between two reads than one answer holds.'
        onGap({ market: 'spot', symbol: event.symbol, from, until, reason })
        break
      }
      case 'kline': {
        const { openTime } = event.kline
        const span = { from: openTime, until: openTime + MINUTE - 1 }
        observe({ kind: 'gap', symbol: event.symbol, ...span, reason: NO_TRADES, minutes: [event.kline] })
        break
      }
      case 'ticker':
        observe({
          kind: 'day',
          symbol: event.symbol,
          day: toldDay(event.ticker, this.#options.upstream.serverNow()),
        })
        break
      case 'indexPrice': {
        const { markPrice, indexPrice, lastFundingRate } = event.indexPrice
        const [mark, index] = [markPrice.toString(), indexPrice.toString()]
        observe({ kind: 'index', symbol: event.symbol, mark, index, fundingRate: lastFundingRate.toString() })
        break
      }
      case 'listingChanged':
        onListings(event.market)
        break
      case 'refused':
        onTrouble(event.stream, event.reason)
        break
      case 'failed':
        for (const stream of event.streams) onTrouble(stream, unreadText(event.error))
        break
      case 'stale':
      case 'fresh':
        onSilence(event)
    }
  }

  /** Why no order can be matched on an order book, a sentence; `undefined` for one that it can. */
  #bookProblem(
    { symbol }: DepthRead,
    { time, bids, asks }: ToldBook,
    { receivedAt }: Asked,
  ): string | undefined {
    const [[bid] = [], [ask] = []] = [bids[0], asks[0]]
    if (bid !== undefined && ask !== undefined && Number(bid) >= Number(ask))
      return `The order book of ${symbol} is passed over: its best bid of ${bid} is not below its best ask of ${ask}.`
    const ageMs = receivedAt - time
    if (ageMs > this.#options.oldestBookMs)
      return `The order book of ${symbol} is passed over: by the host's own time it is of ${utcText(time)}, ${Math.round(ageMs / 1000)} s before it was read.`
    return undefined
  }

  /** The client, with the times of its latest order book of each market. */
  #timedClient(): MarketClient {
    const { spot, futures } = this.#options.upstream
    return {
      spot: {
        ...spot,
        depth: query => this.#timed(query.symbol, () => spot.depth(query)),
      },
      futures: {
        ...futures,
        depth: query => this.#timed(query.contractName, () => futures.depth(query)),
      },
    }
  }

  async #timed<Answer>(symbol: string, call: () => Promise<Answer>): Promise<Answer> {
    const { serverNow } = this.#options.upstream
    const sentAt = serverNow()
    const answer = await call()
    this.#asked.set(symbol, { sentAt, receivedAt: serverNow() })
    return answer
  }
}
