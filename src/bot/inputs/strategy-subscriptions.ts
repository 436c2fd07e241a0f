import type { Interval } from '../../domain/market-data/interval.ts'
import type { Strategy } from '../../strategy/define-strategy.ts'
import {
  type FollowedFeed,
  followedFeeds,
  type StrategyMarkets,
} from '../../strategy/feeds/followed-feeds.ts'
import { loadStrategy } from '../start/load-strategy.ts'

/** The streams that one strategy subscribes to: its own klines, and its feeds. */
export interface StrategySubscriptions {
  readonly symbol: string
  readonly interval: Interval
  /** Default: none. */
  readonly feeds?: readonly FollowedFeed[]
}

/** A strategy with its code, symbol and interval. */
export interface SubscribingStrategy extends StrategyMarkets {
  readonly strategy: Strategy
}

/** The subscriptions of strategies; throws `UsageError` as `followedFeeds` does. */
export function subscriptionsOf(
  strategies: readonly SubscribingStrategy[],
): readonly StrategySubscriptions[] {
  return strategies.map(({ strategy, ...on }) => ({
    symbol: on.symbol,
    interval: on.interval,
    feeds: followedFeeds(strategy, on),
  }))
}

/** The same for entries of a configuration, read from their files; rejects with `UsageError`. */
export async function subscriptionsOfEntries(
  entries: readonly (StrategyMarkets & { readonly file: string })[],
): Promise<readonly StrategySubscriptions[]> {
  return subscriptionsOf(
    await Promise.all(
      entries.map(async ({ file, ...on }) => ({ ...on, strategy: await loadStrategy(file) })),
    ),
  )
}

/** The instruments that strategies trade or follow, each once. */
export function subscribedSymbols(followed: readonly StrategySubscriptions[]): readonly string[] {
  return [
    ...new Set(followed.flatMap(({ symbol, feeds = [] }) => [symbol, ...feeds.map(feed => feed.symbol)])),
  ]
}

/** The streams of klines that are traded by: those of each instrument at the interval of its strategy, as `symbol interval`. */
export function tradedStreams(followed: readonly StrategySubscriptions[]): ReadonlySet<string> {
  return new Set(
    followed.flatMap(({ symbol, interval, feeds = [] }) => [
      `${symbol} ${interval}`,
      ...feeds.map(feed => `${feed.symbol} ${interval}`),
    ]),
  )
}
