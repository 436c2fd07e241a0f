import type { Depth } from '../domain/depth.ts'
import type { FundingRate } from '../domain/funding-rate.ts'
import type { IndexPrice } from '../domain/index-price.ts'
import type { Interval } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Trade } from '../domain/trade.ts'

/** Whose data a feed shows. */
interface OfMarket<Role extends string> {
  /** A role of `markets`; default: the strategy's own instrument. */
  readonly market?: Role | undefined
}

/** How often something is read live, and shown in a replay of recorded data. */
interface Paced {
  /** Wanted time between two data, ms; a tight budget makes it longer, and whoever wants more often shares what is read. */
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

/** Something that a strategy sees beside the klines of its own instrument and interval. */
export type Feed<Role extends string = string> =
  | KlineFeed<Role>
  | TickerFeed<Role>
  | DepthFeed<Role>
  | TradesFeed<Role>
  | IndexPriceFeed<Role>
  | FundingFeed<Role>

/** Feeds by name. */
export type Feeds<Role extends string = string> = Readonly<Record<string, Feed<Role>>>

/** What each kind of feed shows. */
interface FeedData {
  readonly klines: Kline
  readonly ticker: Ticker
  readonly depth: Depth
  readonly trades: Trade
  readonly indexPrice: IndexPrice
  readonly funding: FundingRate
}

/** What a feed shows, by its kind. */
export type DatumOf<Shown> = Shown extends { readonly type: infer Type extends keyof FeedData }
  ? FeedData[Type]
  : never

/** Any datum of any feed. */
export type Datum = FeedData[keyof FeedData]

/** Names of the feeds that show klines. */
export type KlineFeedName<F> = {
  readonly [Name in keyof F]: F[Name] extends KlineFeed ? Name : never
}[keyof F] &
  string

/** Klines of another interval, or of another instrument (`market`, a role); what is left out is the strategy's own. */
export function klines<const Role extends string = never>(
  options: Omit<KlineFeed<Role>, 'type'>,
): KlineFeed<Role> {
  return { type: 'klines', ...options }
}

/** Best prices and the last 24 hours, about every `everyMs`. */
export function ticker<const Role extends string = never>(
  options: Omit<TickerFeed<Role>, 'type'>,
): TickerFeed<Role> {
  return { type: 'ticker', ...options }
}

/** `levels` of the order book a side, about every `everyMs`. */
export function depth<const Role extends string = never>(
  options: Omit<DepthFeed<Role>, 'type'>,
): DepthFeed<Role> {
  return { type: 'depth', ...options }
}

/** Public trades, one by one, asked for about every `everyMs`. */
export function trades<const Role extends string = never>(
  options: Omit<TradesFeed<Role>, 'type'>,
): TradesFeed<Role> {
  return { type: 'trades', ...options }
}

/** Index price, mark price and announced funding of a contract, about every `everyMs`. */
export function indexPrice<const Role extends string = never>(
  options: Omit<IndexPriceFeed<Role>, 'type'>,
): IndexPriceFeed<Role> {
  return { type: 'indexPrice', ...options }
}

/** Funding rates of a contract as they are settled. */
export function funding<const Role extends string = never>(
  options: Omit<FundingFeed<Role>, 'type'> = {},
): FundingFeed<Role> {
  return { type: 'funding', ...options }
}
