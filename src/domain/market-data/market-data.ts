import type { Depth } from './depth.ts'
import type { FundingRate } from './funding-rate.ts'
import type { IndexPrice } from './index-price.ts'
import type { Ticker } from './ticker.ts'
import type { Trade } from './trade.ts'

/** A new ticker of an instrument. */
export interface TickerSeen {
  readonly type: 'tickerSeen'
  readonly symbol: string
  readonly ticker: Ticker
}

/** A new order book of an instrument. */
export interface DepthSeen {
  readonly type: 'depthSeen'
  readonly symbol: string
  /** At least as deep as anybody who follows it wants. */
  readonly depth: Depth
}

/** Somebody traded: told once, in order. */
export interface PublicTradeSeen {
  readonly type: 'publicTradeSeen'
  readonly symbol: string
  readonly trade: Trade
}

/** New index price, mark price and announced funding of a contract. */
export interface IndexPriceSeen {
  readonly type: 'indexPriceSeen'
  readonly symbol: string
  readonly indexPrice: IndexPrice
}

/** The funding of a contract was settled. */
export interface FundingRateSeen {
  readonly type: 'fundingRateSeen'
  readonly symbol: string
  readonly fundingRate: FundingRate
}

/** What a market shows beside its klines. */
export type MarketDataEvent = TickerSeen | DepthSeen | PublicTradeSeen | IndexPriceSeen | FundingRateSeen
