import type { Interval } from '../domain/market-data/interval.ts'
import type { Listings } from './listing-changes.ts'

/** Market of a symbol. */
export type Market = 'spot' | 'futures'

/** Period of reads. */
interface Pace {
  /** Wanted time between two reads, ms. */
  readonly everyMs: number
  /** Longest acceptable time between reads if the budget is tight, ms; default: ten times `everyMs`. */
  readonly slowestMs?: number
}

/** Closed klines. */
export interface KlineSubscription {
  readonly type: 'klines'
  readonly market: Market
  /**
   * `BASE/QUOTE` on spot, the name of a contract such as `E-BTC-USDT` on futures; the same in all
   * subscriptions.
   */
  readonly symbol: string
  readonly interval: Interval
  /** Open time of the latest kline already received, ms UTC; default: begin with the one that is forming. */
  readonly after?: number
}

/** Best prices and the last 24 hours. */
export interface TickerSubscription extends Pace {
  readonly type: 'ticker'
  readonly market: Market
  readonly symbol: string
}

/** The order book. */
export interface DepthSubscription extends Pace {
  readonly type: 'depth'
  readonly market: Market
  readonly symbol: string
  /** Levels a side, 1 to 100. */
  readonly levels: number
}

/** Public trades; the interface offers them on spot only. */
export interface TradesSubscription extends Pace {
  readonly type: 'trades'
  readonly market: 'spot'
  readonly symbol: string
}

/** Index price, mark price and funding of a contract. */
export interface IndexPriceSubscription extends Pace {
  readonly type: 'indexPrice'
  readonly market: 'futures'
  readonly symbol: string
}

/** Changes of a market's list: symbols, precisions, limits, fees and status. */
export interface ListingsSubscription extends Pace {
  readonly type: 'listings'
  readonly market: Market
  /**
   * Rules that the subscriber already uses; the first list is compared with them, for the symbols and rules
   * in them.
   */
  readonly known?: Listings
}

/** A stream of market data to follow. */
export type MarketSubscription =
  | KlineSubscription
  | TickerSubscription
  | DepthSubscription
  | TradesSubscription
  | IndexPriceSubscription
  | ListingsSubscription

/** Name of a stream: `spot klines BTC/USDT 1m`. Subscriptions with the same name share it. */
export function streamOf(
  subscription: Pick<MarketSubscription, 'type' | 'market'> & {
    readonly symbol?: string
    readonly interval?: Interval
  },
): string {
  const { market, type, symbol, interval } = subscription
  return [market, type, symbol, interval].filter(part => part !== undefined).join(' ')
}
