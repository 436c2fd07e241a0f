import { concatMap, type Observable, type SchedulerLike } from 'rxjs'
import type { Interval } from '../domain/interval.ts'
import type { Ticker } from '../exchange/ticker.ts'
import type { Quote } from '../execution/trigger-book.ts'
import type { MarketEvent } from '../market/market-event.ts'
import { marketStreams } from '../market/market-streams.ts'
import { type MarketSubscription, streamOf } from '../market/market-subscription.ts'
import { planPolls } from '../market/plan-polls.ts'
import type { PollPlan } from '../market/poll-plan.ts'
import type { BotInput } from './bot-input.ts'
import type { BotConfig } from './config/bot-config.ts'
import type { Venue } from './venue.ts'

/** What a strategy follows. */
interface Followed {
  readonly symbol: string
  readonly interval: Interval
}

/** What a bot reads of the market, and how. */
export interface MarketInputsOptions {
  readonly venue: Pick<Venue, 'spot' | 'usage'>
  readonly strategies: readonly Followed[]
  /** Open time of the latest kline already seen, by stream (see `streamOf`), ms UTC. */
  readonly after: ReadonlyMap<string, number>
  readonly polling: BotConfig['polling']
  readonly scheduler: SchedulerLike
  /** From 0 up to 1, for the jitter between tries. */
  readonly random: () => number
}

/** How long a call usually takes, ms; only for what a plan says one may expect. */
const USUAL_CALL_MS = 100
/** How fast klines that close together are asked for: about as many calls under way as the market streams allow, if each takes as long as usual. */
const KLINE_CALLS_PER_SECOND = 400

/** What a bot with these strategies polls; throws `UsageError` where that does not fit into the budget. */
export function marketPlan(
  strategies: readonly Followed[],
  polling: BotConfig['polling'],
  after?: ReadonlyMap<string, number>,
): PollPlan {
  const listings = { type: 'listings', market: 'spot', everyMs: polling.listingsMs } as const
  const wanted = strategies.flatMap(({ symbol, interval }): readonly MarketSubscription[] => {
    const klines = { type: 'klines', market: 'spot', symbol, interval } as const
    const seen = after?.get(streamOf(klines))
    return [
      { ...klines, ...(seen !== undefined && { after: seen }) },
      { type: 'ticker', market: 'spot', symbol, everyMs: polling.tickerMs },
    ]
  })
  return planPolls([...wanted, listings], {
    weightPerMinute: polling.weightPerMinute,
    orderShare: polling.orderShare,
    klineDelayMs: polling.klineDelayMs,
    callsPerSecond: KLINE_CALLS_PER_SECOND,
    callMs: USUAL_CALL_MS,
  })
}

/** Which instrument each stream of a plan is about, by the name of the stream. */
export function streamSymbols(strategies: readonly Followed[]): ReadonlyMap<string, string> {
  return new Map(
    strategies.flatMap(({ symbol, interval }) => [
      [streamOf({ type: 'klines', market: 'spot', symbol, interval }), symbol] as const,
      [streamOf({ type: 'ticker', market: 'spot', symbol }), symbol] as const,
    ]),
  )
}

/** Everything that the strategies of a bot follow, as inputs of the bot: klines in their order, quotes, and what else there is to say. */
export function marketInputs({
  venue,
  strategies,
  after,
  polling,
  scheduler,
  random,
}: MarketInputsOptions): Observable<BotInput> {
  const { events$ } = marketStreams({
    plan: marketPlan(strategies, polling, after),
    client: { spot: venue.spot },
    scheduler,
    random,
    usage: venue.usage,
    staleAfterMs: polling.staleAfterMs,
    mergeWaitMs: polling.mergeWaitMs,
  })
  return events$.pipe(concatMap(inputsOf))
}

function inputsOf(event: MarketEvent): readonly BotInput[] {
  switch (event.type) {
    case 'kline': {
      const { symbol, interval, kline } = event
      return [{ type: 'event', event: { type: 'klineClosed', symbol, interval, kline } }]
    }
    case 'ticker':
      return event.market === 'spot'
        ? [{ type: 'quote', symbol: event.symbol, quote: quoteOf(event.ticker) }]
        : []
    case 'failed':
      return [{ type: 'failure', what: event.what, error: event.error }]
    case 'depth':
    case 'trade':
    case 'indexPrice':
      return []
    default:
      return [{ type: 'report', report: event }]
  }
}

/** Where a side of the book is empty, nobody offers anything: no price is good enough there. */
function quoteOf({ bid, ask, last }: Ticker): Quote {
  return {
    bid: bid?.toNumber() ?? 0,
    ask: ask?.toNumber() ?? Number.POSITIVE_INFINITY,
    last: last.toNumber(),
  }
}
