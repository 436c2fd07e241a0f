import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { FuturesTicker } from '../exchange/futures/futures-ticker.ts'
import type { IndexPrice } from '../exchange/futures/index-price.ts'
import type { Depth } from '../exchange/spot/depth.ts'
import type { Ticker } from '../exchange/spot/ticker.ts'
import type { Trade } from '../exchange/spot/trade.ts'
import type { Market } from './delivery/market-subscription.ts'
import type { ListingChange } from './sequences/listing-changes.ts'

interface OfKlines {
  readonly market: Market
  readonly symbol: string
  readonly interval: Interval
}

/** A kline is complete: told once, in order. */
export interface KlineCompleted extends OfKlines {
  readonly type: 'kline'
  readonly kline: Kline
}

/** The exchange changed a kline that had been told, or brought one that it had not had. */
export interface KlineRevised extends OfKlines {
  readonly type: 'klineRevised'
  readonly kline: Kline
  /** As it was told; `undefined` where it was missing. */
  readonly before: Kline | undefined
}

/** There are no klines for a time: nothing was traded, or they are out of reach. */
export interface KlinesMissing extends OfKlines {
  readonly type: 'klinesMissing'
  /** Open time of the first one that is missing, ms UTC. */
  readonly from: number
  /** Open time of the next one that there is, ms UTC. */
  readonly until: number
  /** `absent`: the exchange has none; `outOfReach`: it does not give klines that are so old; `refused`: it insists on one that no market can have printed. */
  readonly reason: 'absent' | 'outOfReach' | 'refused'
}

/** A new ticker. */
export type TickerRead =
  | { readonly type: 'ticker'; readonly market: 'spot'; readonly symbol: string; readonly ticker: Ticker }
  | {
      readonly type: 'ticker'
      readonly market: 'futures'
      readonly symbol: string
      readonly ticker: FuturesTicker
    }

/** A new order book. */
export interface DepthRead {
  readonly type: 'depth'
  readonly market: Market
  readonly symbol: string
  readonly depth: Depth
}

/** A public trade: told once. */
export interface TradeSeen {
  readonly type: 'trade'
  readonly market: 'spot'
  readonly symbol: string
  readonly trade: Trade
}

/** More was traded between two reads than one answer holds: what lies between these two trades may be lost. */
export interface TradesMissed {
  readonly type: 'tradesMissed'
  readonly market: 'spot'
  readonly symbol: string
  /** The last trade before the gap. */
  readonly after: Trade
  /** The first one behind it. */
  readonly before: Trade
}

/** New index price, mark price and funding. */
export interface IndexPriceRead {
  readonly type: 'indexPrice'
  readonly market: 'futures'
  readonly symbol: string
  readonly indexPrice: IndexPrice
}

/** A market lists something new, no longer, or with other rules. */
export interface ListingChanged {
  readonly type: 'listingChanged'
  readonly market: Market
  readonly symbol: string
  readonly change: ListingChange
}

/** The exchange told something that no market can have, such as a price of 0; it goes no further than this report. */
export interface DataRefused {
  readonly type: 'refused'
  readonly stream: string
  /** What is wrong with what, a whole sentence. */
  readonly reason: string
}

/** Nothing new has come of a stream for too long. */
export interface StreamStale {
  readonly type: 'stale'
  readonly stream: string
  /** Since its last datum, ms. */
  readonly ageMs: number
}

/** A stale stream has brought something again. */
export interface StreamFresh {
  readonly type: 'fresh'
  readonly stream: string
  /** How long it had brought nothing, ms. */
  readonly ageMs: number
}

/** A read failed; it is repeated. */
export interface ReadFailed {
  readonly type: 'failed'
  /** Which poll, in words. */
  readonly what: string
  /** The streams that it feeds. */
  readonly streams: readonly string[]
  readonly error: unknown
  /** Failures in a row, this one included. */
  readonly failures: number
  /** When it is tried again at the earliest, ms from now. */
  readonly retryInMs: number
}

/** A consumer was so slow that events which must not be lost were. */
export interface EventsDropped {
  readonly type: 'dropped'
  /** How many. */
  readonly count: number
  /** How many may wait. */
  readonly bound: number
  /** Of which streams. */
  readonly streams: readonly string[]
}

/** What one read tells. */
export type MarketFact =
  | KlineCompleted
  | KlineRevised
  | KlinesMissing
  | TickerRead
  | DepthRead
  | TradeSeen
  | TradesMissed
  | IndexPriceRead
  | ListingChanged
  | DataRefused

/** What is said about the data, rather than data. */
export type MarketReport =
  | KlineRevised
  | KlinesMissing
  | TradesMissed
  | ListingChanged
  | DataRefused
  | StreamStale
  | StreamFresh
  | EventsDropped

/** Everything that the market streams tell. */
export type MarketEvent = MarketFact | StreamStale | StreamFresh | ReadFailed | EventsDropped
