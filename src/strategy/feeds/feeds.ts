import type { Depth } from '../../domain/market-data/depth.ts'
import type { FundingRate } from '../../domain/market-data/funding-rate.ts'
import type { IndexPrice } from '../../domain/market-data/index-price.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { Ticker } from '../../domain/market-data/ticker.ts'
import type { Trade } from '../../domain/market-data/trade.ts'

/** Instrument of a feed. */
interface OfMarket<Role extends string> {
  /** A role of `markets`; default: the strategy's own instrument. */
  readonly market?: Role | undefined
}

/** Period of live reads, and of a replay of recorded data. */
interface Paced {
  /**
   * Wanted time between two data, ms; a tight budget makes it longer, and a shorter period of another
   * subscriber is shared.
   */
  readonly everyMs: number
}

/** Closed klines. */
export interface KlineFeed<Role extends string = string> extends OfMarket<Role> {
  readonly type: 'klines'
  /** Default: the strategy's own interval. */
  readonly interval?: Interval | undefined
}

/** Best prices and the last 24 hours. */
export interface TickerFeed<Role extends string = string> extends OfMarket<Role>, Paced {
  readonly type: 'ticker'
}

/** The order book. */
export interface DepthFeed<Role extends string = string> extends OfMarket<Role>, Paced {
  readonly type: 'depth'
  /** Levels a side, 1 to 100. */
  readonly levels: number
}

/** Public trades, one by one. */
export interface TradesFeed<Role extends string = string> extends OfMarket<Role>, Paced {
  readonly type: 'trades'
}

/** Index price, mark price and announced funding of a contract. */
export interface IndexPriceFeed<Role extends string = string> extends OfMarket<Role>, Paced {
  readonly type: 'indexPrice'
}

/** Settled funding rates of a contract. */
export interface FundingFeed<Role extends string = string> extends OfMarket<Role> {
  readonly type: 'funding'
}

/** Data for a strategy besides the klines of its own instrument and interval. */
export type Feed<Role extends string = string> =
  | KlineFeed<Role>
  | TickerFeed<Role>
  | DepthFeed<Role>
  | TradesFeed<Role>
  | IndexPriceFeed<Role>
  | FundingFeed<Role>

export type Feeds<Role extends string = string> = Readonly<Record<string, Feed<Role>>>

/** Datum type of each kind of feed. */
interface FeedData {
  readonly klines: Kline
  readonly ticker: Ticker
  readonly depth: Depth
  readonly trades: Trade
  readonly indexPrice: IndexPrice
  readonly funding: FundingRate
}

/** Datum type of a feed. */
export type DatumOf<Shown> = Shown extends { readonly type: infer Type extends keyof FeedData }
  ? FeedData[Type]
  : never

export type Datum = FeedData[keyof FeedData]

/** Names of the kline feeds. */
export type KlineFeedName<F> = {
  readonly [Name in keyof F]: F[Name] extends KlineFeed ? Name : never
}[keyof F] &
  string

/** Options of a feed, without its kind and instrument. */
type Options<Kind> = Omit<Kind, 'type' | 'market'>

/** Options with the role of another instrument. */
type For<Role, Given> = Given & { readonly market: Role }

/** Klines of another interval or instrument (`market`, a role); default: the strategy's own. */
export function klines<const Role extends string>(options: For<Role, Options<KlineFeed>>): KlineFeed<Role>
export function klines(options: Options<KlineFeed>): KlineFeed<never>
export function klines(options: Options<KlineFeed>): KlineFeed<never> {
  return { type: 'klines', ...options }
}

/** Best prices and the last 24 hours, about every `everyMs`. */
export function ticker<const Role extends string>(options: For<Role, Options<TickerFeed>>): TickerFeed<Role>
export function ticker(options: Options<TickerFeed>): TickerFeed<never>
export function ticker(options: Options<TickerFeed>): TickerFeed<never> {
  return { type: 'ticker', ...options }
}

/** `levels` of the order book a side, about every `everyMs`. */
export function depth<const Role extends string>(options: For<Role, Options<DepthFeed>>): DepthFeed<Role>
export function depth(options: Options<DepthFeed>): DepthFeed<never>
export function depth(options: Options<DepthFeed>): DepthFeed<never> {
  return { type: 'depth', ...options }
}

/** Public trades, one by one, read about every `everyMs`. */
export function trades<const Role extends string>(options: For<Role, Options<TradesFeed>>): TradesFeed<Role>
export function trades(options: Options<TradesFeed>): TradesFeed<never>
export function trades(options: Options<TradesFeed>): TradesFeed<never> {
  return { type: 'trades', ...options }
}

/** Index price, mark price and announced funding of a contract, about every `everyMs`. */
export function indexPrice<const Role extends string>(
  options: For<Role, Options<IndexPriceFeed>>,
): IndexPriceFeed<Role>
export function indexPrice(options: Options<IndexPriceFeed>): IndexPriceFeed<never>
export function indexPrice(options: Options<IndexPriceFeed>): IndexPriceFeed<never> {
  return { type: 'indexPrice', ...options }
}

/** Funding rates of a contract as they are settled. */
export function funding<const Role extends string>(
  options: For<Role, Options<FundingFeed>>,
): FundingFeed<Role>
export function funding(options?: Options<FundingFeed>): FundingFeed<never>
export function funding(options: Options<FundingFeed> = {}): FundingFeed<never> {
  return { type: 'funding', ...options }
}
