import { fundingEvents } from '../../backtest/futures/feed-events.ts'
import type { BacktestMarket, FeedData, RoleMarket } from '../../backtest/run/backtest-options.ts'
import { feedsOf, isOfTradedKlines } from '../../backtest/run/feed-data.ts'
import type { Depth } from '../domain/market-data/depth.ts'
import type { FundingRate } from '../domain/market-data/funding-rate.ts'
import type { IndexPrice } from '../domain/market-data/index-price.ts'
import { type Interval, isMadeOf } from '../domain/market-data/interval.ts'
import type { MarketDataEvent } from '../domain/market-data/market-data.ts'
import type { Ticker } from '../domain/market-data/ticker.ts'
import type { Trade } from '../domain/market-data/trade.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { columnsFrom } from '../klines/kline-columns.ts'
import { resampleKlines } from '../klines/resample/resample-klines.ts'
import type { FollowedFeed } from '../strategy/feeds/followed-feeds.ts'
import { KlineScript } from './klines.ts'

/** Data of a feed: klines, or other data in order of time. */
export type FeedScript =
  | KlineScript
  | readonly Ticker[]
  | readonly Depth[]
  | readonly Trade[]
  | readonly IndexPrice[]
  | readonly FundingRate[]

/** Inputs from which feed data are built. */
export interface TriedFeedsOptions
  extends Pick<BacktestMarket, 'strategy' | 'parameters' | 'instrument' | 'interval' | 'futures'> {
  readonly klines: KlineScript
  readonly roles: Readonly<Record<string, RoleMarket>>
  readonly feeds: Readonly<Record<string, FeedScript>>
}

/** Data of a strategy's feeds in the form of a backtest, which itself refuses missing and unknown feeds. */
export function triedFeeds(tried: TriedFeedsOptions): Readonly<Record<string, FeedData>> {
  const { feeds, roles, klines } = tried
  const { feeds: _, ...market } = tried
  const given = Object.entries(feeds).map(([name]) => [name, undefined] as const)
  const made = feedsOf({ ...market, feeds: undefined })
    .filter(feed => !isOfTradedKlines(feed, market))
    .map(feed => {
      const { name = '' } = feed
      const script = feeds[name]
      if (script !== undefined) return [name, dataOf(feed, script)] as const
      const of =
        feed.role === undefined
          ? { klines: columnsFrom(klines.list), futures: tried.futures }
          : roles[feed.role]
      return [name, of && madeOf(feed, of, klines.interval)] as const
    })
  // Undeclared feeds are kept, so that the backtest refuses them.
  const unknown = given.filter(([name]) => !made.some(([other]) => other === name))
  const all = [...made, ...unknown.map(([name]) => [name, NOTHING] as const)]
  return Object.fromEntries(
    all.filter((entry): entry is readonly [string, FeedData] => entry[1] !== undefined),
  )
}

const NOTHING: FeedData = { type: 'data', events: [] }

/**
 * Data that follow from the klines and the rules of an instrument: longer klines, funding rates; otherwise
 * `undefined`.
 */
function madeOf(
  { feed, symbol }: FollowedFeed,
  { klines: columns, futures }: Pick<RoleMarket, 'klines' | 'futures'>,
  from: Interval,
): FeedData | undefined {
  if (feed.type === 'funding' && futures?.funding !== undefined)
    return { type: 'data', events: fundingEvents(symbol, futures.funding, columns) }
  if (feed.type !== 'klines' || !isMadeOf(feed.interval, from)) return undefined
  return {
    type: 'klines',
    klines: resampleKlines(columns, { from, to: feed.interval, incomplete: 'drop' }).columns,
  }
}

function dataOf({ name, feed, symbol }: FollowedFeed, script: FeedScript): FeedData {
  if (script instanceof KlineScript) {
    if (feed.type !== 'klines' || feed.interval === script.interval)
      return { type: 'klines', klines: columnsFrom(script.list) }
    throw new UsageError(
      `The feed "${name}" shows klines of ${feed.interval}, but was given those of ${script.interval}.`,
    )
  }
  const events = script.map((datum: unknown) => eventOf(feed.type, symbol, datum))
  return { type: 'data', events }
}

/** Converts a datum to an event; only its type is checked, not its content. */
function eventOf(type: FollowedFeed['feed']['type'], symbol: string, datum: unknown): MarketDataEvent {
  switch (type) {
    case 'ticker':
      return { type: 'tickerSeen', symbol, ticker: datum as Ticker }
    case 'depth':
      return { type: 'depthSeen', symbol, depth: datum as Depth }
    case 'trades':
      return { type: 'publicTradeSeen', symbol, trade: datum as Trade }
    case 'indexPrice':
      return { type: 'indexPriceSeen', symbol, indexPrice: datum as IndexPrice }
    case 'funding':
      return { type: 'fundingRateSeen', symbol, fundingRate: datum as FundingRate }
    case 'klines':
      throw new UsageError('A feed of klines is given what klines() or recordedMarket() gives.')
  }
}
