import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { FuturesTicker } from '../exchange/futures/futures-ticker.ts'
import type { ExchangeIndexPrice } from '../exchange/futures/index-price.ts'
import type { ExchangeDepth } from '../exchange/spot/depth.ts'
import type { ExchangeTicker } from '../exchange/spot/ticker.ts'
import type { ExchangeTrade } from '../exchange/spot/trade.ts'
import type { ListingChange } from './listing-changes.ts'
import type { Market } from './market-subscription.ts'

interface OfKlines {
  readonly market: Market
  readonly symbol: string
  readonly interval: Interval
}

/** A kline is complete: emitted once, in order. */
export interface KlineCompleted extends OfKlines {
  readonly type: 'kline'
  readonly kline: Kline
}

/** A complete kline waits for those that come before it; it is emitted as `KlineCompleted` later. */
export interface KlineWaiting extends OfKlines {
  readonly type: 'klineWaiting'
  readonly kline: Kline
}

/** The exchange changed an emitted kline, or delivered one that was missing. */
export interface KlineRevised extends OfKlines {
  readonly type: 'klineRevised'
  readonly kline: Kline
  /** The emitted kline; `undefined` if it was missing. */
  readonly before: Kline | undefined
}

/** Klines are missing: nothing was traded, or they are out of reach. */
export interface KlinesMissing extends OfKlines {
  readonly type: 'klinesMissing'
  /** Open time of the first missing kline, ms UTC. */
  readonly from: number
  /** Open time of the next existing kline, ms UTC. */
  readonly until: number
  /**
   * `absent`: the exchange has none; `outOfReach`: it does not return klines that old; `refused`: it keeps
   * returning an impossible kline.
   */
  readonly reason: 'absent' | 'outOfReach' | 'refused'
}

/** A new ticker. */
export type TickerRead =
  | {
      readonly type: 'ticker'
      readonly market: 'spot'
      readonly symbol: string
      readonly ticker: ExchangeTicker
    }
  | {
      readonly type: 'ticker'
      readonly market: 'futures'
      readonly symbol: string
      readonly ticker: FuturesTicker
    }

export interface DepthRead {
  readonly type: 'depth'
  readonly market: Market
  readonly symbol: string
  readonly depth: ExchangeDepth
}

/** A public trade: emitted once. */
export interface TradeSeen {
  readonly type: 'trade'
  readonly market: 'spot'
  readonly symbol: string
  readonly trade: ExchangeTrade
}

/** More trades happened between two reads than one answer holds: trades between these two may be lost. */
export interface TradesMissed {
  readonly type: 'tradesMissed'
  readonly market: 'spot'
  readonly symbol: string
  /** The last trade before the gap. */
  readonly after: ExchangeTrade
  /** The first trade after the gap. */
  readonly before: ExchangeTrade
}

export interface IndexPriceRead {
  readonly type: 'indexPrice'
  readonly market: 'futures'
  readonly symbol: string
  readonly indexPrice: ExchangeIndexPrice
}

/** A symbol was listed, delisted, or got other rules. */
export interface ListingChanged {
  readonly type: 'listingChanged'
  readonly market: Market
  readonly symbol: string
  readonly change: ListingChange
}

/** The exchange returned impossible data, such as a price of 0; the data are dropped. */
export interface DataRefused {
  readonly type: 'refused'
  readonly stream: string
  /** Description of the problem, a whole sentence. */
  readonly reason: string
}

/** A stream has brought no data for too long. */
export interface StreamStale {
  readonly type: 'stale'
  readonly stream: string
  /** Age of its last datum, ms. */
  readonly ageMs: number
}

/** A stale stream has brought data again. */
export interface StreamFresh {
  readonly type: 'fresh'
  readonly stream: string
  /** Length of the silence, ms. */
  readonly ageMs: number
}

/** A read failed; it is repeated. */
export interface ReadFailed {
  readonly type: 'failed'
  /** Name of the poll. */
  readonly what: string
  /** The streams that it feeds. */
  readonly streams: readonly string[]
  readonly error: unknown
  /** Number of failures in a row, this one included. */
  readonly failures: number
  /** Earliest time of the next attempt, ms from now. */
  readonly retryInMs: number
}

/** Data events of a read. */
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

/** Reports about the data. */
export type MarketReport =
  | KlineRevised
  | KlinesMissing
  | TradesMissed
  | ListingChanged
  | DataRefused
  | StreamStale
  | StreamFresh

export type MarketEvent = MarketFact | KlineWaiting | StreamStale | StreamFresh | ReadFailed
