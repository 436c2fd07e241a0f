import { concatMap, type Observable, type SchedulerLike } from 'rxjs'
import type { BotConfig } from '../../config/bot-config.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import type { RulesBySymbol } from '../../config/instrument-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { FuturesTicker } from '../../exchange/futures/futures-ticker.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import type { ExchangeTicker } from '../../exchange/spot/ticker.ts'
import { marketStreams } from '../../market/delivery/market-streams.ts'
import type { Listings } from '../../market/listing-changes.ts'
import type { MarketEvent, MarketReport, TickerRead } from '../../market/market-event.ts'
import { type Market, type MarketSubscription, streamOf } from '../../market/market-subscription.ts'
import { planPolls } from '../../market/polls/plan-polls.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'
import type { Quote } from '../../matching/trigger-book.ts'
import { listedGrids } from '../venue/listed-grids.ts'
import type { Venue } from '../venue/venue.ts'
import { accountPoll } from './account-poll.ts'
import type { BotInput } from './bot-input.ts'
import { type DataRead, FeedEvents } from './feed-events.ts'
import { feedSubscription } from './feed-subscriptions.ts'
import { requireKlines } from './required-klines.ts'
import { type StrategySubscriptions, subscribedSymbols } from './strategy-subscriptions.ts'

/** Sources and settings of a bot's market data. */
export interface MarketInputsOptions {
  readonly venue: Pick<Venue, 'spot' | 'futures' | 'usage' | 'profile'> &
    Partial<Pick<Venue, 'serverNow' | 'answerMs'>>
  readonly marketOf: MarketOf
  readonly strategies: readonly StrategySubscriptions[]
  /** Instruments with their grids; a later change of a grid by the exchange is reported. */
  readonly instruments: ReadonlyMap<string, Instrument>
  /** Configured rules of instruments, which count instead of the listed ones. */
  readonly rules?: RulesBySymbol | undefined
  /** Open time of the latest kline already seen, by `symbol interval`, ms UTC. */
  readonly after: ReadonlyMap<string, number>
  readonly polling: BotConfig['polling']
  readonly scheduler: SchedulerLike
  /** From 0 up to 1, for the jitter between tries. */
  readonly random: () => number
}

/** Assumed duration of a call, ms; only for the expectations in a plan. */
const USUAL_CALL_MS = 100
/**
 * Request rate for klines that close together: about the number of concurrent calls of the market streams, at
 * the usual duration.
 */
const KLINE_CALLS_PER_SECOND = 400

/** Inputs of a plan besides strategies and configuration. */
export interface MarketPlanOptions {
  /** Differences of the exchange from the interface document; default: none. */
  readonly profile?: ExchangeProfile | undefined
  /** As in `MarketInputsOptions`. */
  readonly after?: ReadonlyMap<string, number>
  /** The listings of a market as they count now; default: none. */
  readonly knownOf?: (market: Market) => Listings
}

/**
 * Polling plan of a bot with these strategies; throws `UsageError` if it exceeds the budget, and for klines that the
 * exchange does not have.
 */
export function marketPlan(
  strategies: readonly StrategySubscriptions[],
  polling: BotConfig['polling'],
  marketOf: MarketOf,
  { profile = DOCUMENT_PROFILE, after, knownOf = () => new Map() }: MarketPlanOptions = {},
): PollPlan {
  const everyMs = polling.tickerMs
  const begun = (symbol: string, wanted: MarketSubscription): MarketSubscription => {
    const seen = wanted.type === 'klines' ? after?.get(`${symbol} ${wanted.interval}`) : undefined
    return wanted.type === 'klines' && seen !== undefined ? { ...wanted, after: seen } : wanted
  }
  const wanted = strategies.flatMap(({ symbol, interval, feeds = [] }): readonly MarketSubscription[] => {
    const { market, name } = marketOf(symbol)
    // Feeds first: klines that close together are shown in this order.
    return [
      ...feeds.map(feed => begun(feed.symbol, feedSubscription(feed, marketOf(feed.symbol)))),
      begun(symbol, { type: 'klines', market, symbol: name, interval }),
    ]
  })
  for (const one of wanted) if (one.type === 'klines') requireKlines(one, profile)
  const symbols = subscribedSymbols(strategies)
  const quotes = symbols.flatMap((symbol): readonly MarketSubscription[] => {
    const { market, name } = marketOf(symbol)
    return [
      { type: 'ticker', market, symbol: name, everyMs },
      ...(market === 'futures' ? [{ type: 'indexPrice', market, symbol: name, everyMs } as const] : []),
    ]
  })
  const markets = new Set(symbols.map(symbol => marketOf(symbol).market))
  const listings = Array.from(markets, market => {
    const known = knownOf(market)
    return { type: 'listings', market, everyMs: polling.listingsMs, known } as const
  })
  return planPolls([...wanted, ...quotes, ...listings], {
    weightPerMinute: polling.weightPerMinute,
    orderShare: polling.orderShare,
    klineDelayMs: polling.klineDelayMs,
    callsPerSecond: KLINE_CALLS_PER_SECOND,
    callMs: USUAL_CALL_MS,
    accountWeight: accountPoll(symbols, marketOf, polling, profile).weightPerMinute,
    lacks: [...profile.spot.lacks, ...profile.futures.lacks],
    lacksKlines: { spot: profile.spot.lacksKlines, futures: profile.futures.lacksKlines },
  })
}

/** Which instruments each stream of a plan is about, by the name of the stream: two where a pair is traded on two accounts. */
export function streamSymbols(
  strategies: readonly StrategySubscriptions[],
  marketOf: MarketOf,
): ReadonlyMap<string, readonly string[]> {
  return grouped(
    strategies.flatMap(({ symbol, interval, feeds = [] }) => {
      const { market, name } = marketOf(symbol)
      const ofSymbols = subscribedSymbols([{ symbol, interval, feeds }]).flatMap(each => {
        const traded = marketOf(each)
        return (['ticker', 'indexPrice'] as const).map(
          type => [streamOf({ type, market: traded.market, symbol: traded.name }), each] as const,
        )
      })
      const ofFeeds = feeds.map(
        feed => [streamOf(feedSubscription(feed, marketOf(feed.symbol))), feed.symbol] as const,
      )
      const own = streamOf({ type: 'klines', market, symbol: name, interval })
      // Feeds first, as in the plan.
      return [...ofSymbols, ...ofFeeds, [own, symbol] as const]
    }),
  )
}

/** All market data of a bot's strategies as inputs: klines in their order, quotes, and reports. */
export function marketInputs({
  venue,
  marketOf,
  strategies,
  instruments,
  rules,
  after,
  polling,
  scheduler,
  random,
}: MarketInputsOptions): Observable<BotInput> {
  const { spot, futures } = venue
  const knownOf = (market: Market) => listedGrids(instruments.values(), marketOf, market, rules)
  const { events$ } = marketStreams({
    plan: marketPlan(strategies, polling, marketOf, { profile: venue.profile, after, knownOf }),
    client: { spot, ...(futures !== undefined && { futures }) },
    scheduler,
    serverNow: venue.serverNow,
    random,
    usage: venue.usage,
    staleAfterMs: Math.max(polling.staleAfterMs, venue.answerMs ?? 0),
    mergeWaitMs: polling.mergeWaitMs,
  })
  // In the order of the plan: feeds of a strategy come before its own klines.
  const followed = strategies.flatMap(({ symbol, feeds = [] }) => [...feeds.map(feed => feed.symbol), symbol])
  const symbols = grouped(
    followed.map(symbol => {
      const { market, name } = marketOf(symbol)
      return [`${market} ${name}`, symbol] as const
    }),
  )
  const klineSymbols = streamSymbols(strategies, marketOf)
  const feeds = new FeedEvents(strategies)
  const now = venue.serverNow ?? (() => scheduler.now())
  const names: InputNames = {
    symbolsOf: ({ market, symbol: name, interval }) =>
      (interval === undefined
        ? symbols.get(`${market} ${name}`)
        : klineSymbols.get(streamOf({ type: 'klines', market, symbol: name, interval }))) ?? [name],
    isNew: (symbol, interval, { openTime }) => openTime > (after.get(`${symbol} ${interval}`) ?? -1),
    shown: (read, symbol) =>
      feeds.of(read, symbol, now()).map((shown): BotInput => ({ type: 'event', event: shown })),
  }
  return events$.pipe(concatMap(event => inputsOf(event, names)))
}

/**
 * The bot's names of a market's data: one instrument, or two for a pair traded on two accounts; for klines
 * only the followers.
 */
type SymbolsOf = (named: {
  readonly market: Market
  readonly symbol: string
  readonly interval?: Interval
}) => readonly string[]

/** Input of the conversion of reads. */
interface InputNames {
  readonly symbolsOf: SymbolsOf
  /** True if a kline is newer than those before the stream: of two instruments one may have seen more. */
  readonly isNew: (symbol: string, interval: Interval, kline: Kline) => boolean
  /** Events of the feeds for a read. */
  readonly shown: (read: DataRead, symbol: string) => readonly BotInput[]
}

function inputsOf(event: MarketEvent, { symbolsOf, isNew, shown }: InputNames): readonly BotInput[] {
  switch (event.type) {
    case 'kline': {
      const { interval, kline } = event
      return symbolsOf(event)
        .filter(symbol => isNew(symbol, interval, kline))
        .map(symbol => ({ type: 'event', event: { type: 'klineClosed', symbol, interval, kline } }))
    }
    case 'klineWaiting': {
      const { interval, kline } = event
      const closeTime = closeTimeOf(kline.openTime, interval)
      return symbolsOf(event)
        .filter(symbol => isNew(symbol, interval, kline))
        .map(symbol => ({ type: 'close', symbol, closeTime, close: kline.close }))
    }
    case 'ticker': {
      const quote = quoteIn(event)
      return symbolsOf(event).flatMap(symbol => [{ type: 'quote', symbol, quote }, ...shown(event, symbol)])
    }
    case 'indexPrice': {
      const price = event.indexPrice.markPrice.toNumber()
      return symbolsOf(event).flatMap(symbol => [{ type: 'mark', symbol, price }, ...shown(event, symbol)])
    }
    case 'failed':
      return [{ type: 'failure', what: event.what, error: event.error }]
    case 'depth':
    case 'trade':
      return symbolsOf(event).flatMap(symbol => shown(event, symbol))
    default:
      return reportsOf(event, symbolsOf).map(report => ({ type: 'report', report }))
  }
}

/** A report under the bot's names. */
function reportsOf(report: MarketReport, symbolsOf: SymbolsOf): readonly MarketReport[] {
  if (!('symbol' in report)) return [report]
  return symbolsOf(report).map(symbol => ({ ...report, symbol }))
}

/** The values of each key, each once, in their order. */
function grouped(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, Set<string>>()
  for (const [key, value] of pairs) groups.set(key, (groups.get(key) ?? new Set()).add(value))
  return new Map(Array.from(groups, ([key, values]) => [key, [...values]]))
}

function quoteIn(event: TickerRead): Quote {
  return event.market === 'spot' ? quoteOf(event.ticker) : contractQuoteOf(event.ticker)
}

/** An empty side of the book has price 0: no price is good enough there. */
function quoteOf({ bid, ask, last }: Pick<ExchangeTicker, 'bid' | 'ask' | 'last'>): Quote {
  return {
    bid: bid?.toNumber() ?? 0,
    ask: ask?.toNumber() ?? Number.POSITIVE_INFINITY,
    last: last.toNumber(),
  }
}

/**
 * A contract's ticker in the interface lacks best prices; unless a host adds them, the last price stands for
 * both.
 */
function contractQuoteOf({ bid, ask, last }: FuturesTicker): Quote {
  if (bid !== undefined && ask !== undefined) return quoteOf({ bid, ask, last })
  const price = last.toNumber()
  return { bid: price, ask: price, last: price }
}
