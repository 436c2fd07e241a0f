import { map, merge, type Observable, type SchedulerLike } from 'rxjs'
import type { Interval } from '../domain/interval.ts'
import type { SpotClient } from '../exchange/spot-client.ts'
import type { Ticker } from '../exchange/ticker.ts'
import type { Quote } from '../execution/trigger-book.ts'
import { closedKlines } from '../market/closed-klines.ts'
import { poll } from '../market/poll.ts'
import type { BotInput } from './bot-input.ts'
import type { BotConfig } from './config/bot-config.ts'

/** What a bot follows of one instrument. */
export interface MarketInputsOptions {
  readonly spot: SpotClient
  readonly symbol: string
  readonly interval: Interval
  /** Open time of the latest kline already seen, ms UTC. */
  readonly after: number
  readonly polling: BotConfig['polling']
  readonly scheduler: SchedulerLike
}

/** Closed klines and tickers of one instrument, as inputs of the bot. */
export function marketInputs(options: MarketInputsOptions): Observable<BotInput> {
  return merge(klineInputs(options), tickerInputs(options))
}

function klineInputs({
  spot,
  symbol,
  interval,
  after,
  polling,
  scheduler,
}: MarketInputsOptions): Observable<BotInput> {
  const read = (limit: number) => spot.klines({ symbol, interval, limit })
  return closedKlines({ interval, after, delayMs: polling.klineDelayMs, read, scheduler }).pipe(
    map(
      (found): BotInput =>
        found.ok
          ? { type: 'event', event: { type: 'klineClosed', symbol, interval, kline: found.kline } }
          : { type: 'failure', what: `klines of ${symbol}`, error: found.error },
    ),
  )
}

function tickerInputs({ spot, symbol, polling, scheduler }: MarketInputsOptions): Observable<BotInput> {
  return poll(() => spot.ticker({ symbol }), polling.tickerMs, scheduler).pipe(
    map(
      (polled): BotInput =>
        polled.ok
          ? { type: 'quote', symbol, quote: quoteOf(polled.value) }
          : { type: 'failure', what: `ticker of ${symbol}`, error: polled.error },
    ),
  )
}

/** Where a side of the book is empty, nobody offers anything: no price is good enough there. */
function quoteOf({ bid, ask, last }: Ticker): Quote {
  return {
    bid: bid?.toNumber() ?? 0,
    ask: ask?.toNumber() ?? Number.POSITIVE_INFINITY,
    last: last.toNumber(),
  }
}
