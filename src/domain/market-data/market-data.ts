import type { Depth } from './depth.ts'
import type { FundingRate } from './funding-rate.ts'
import type { IndexPrice } from './index-price.ts'
import type { Ticker } from './ticker.ts'
import type { Trade } from './trade.ts'

export interface TickerSeen {
  readonly type: 'tickerSeen'
  readonly symbol: string
  readonly ticker: Ticker
}

export interface DepthSeen {
  readonly type: 'depthSeen'
  readonly symbol: string
  /** At least as many levels as each subscriber wants. */
  readonly depth: Depth
}

/** A public trade: emitted once, in order. */
export interface PublicTradeSeen {
  readonly type: 'publicTradeSeen'
  readonly symbol: string
  readonly trade: Trade
}

export interface IndexPriceSeen {
  readonly type: 'indexPriceSeen'
  readonly symbol: string
  readonly indexPrice: IndexPrice
}

export interface FundingRateSeen {
  readonly type: 'fundingRateSeen'
  readonly symbol: string
  readonly fundingRate: FundingRate
}

/** Market data besides klines. */
export type MarketDataEvent = TickerSeen | DepthSeen | PublicTradeSeen | IndexPriceSeen | FundingRateSeen
