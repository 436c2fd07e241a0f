import type { Interval } from '../../domain/market-data/interval.ts'
import type { FollowedFeed } from '../../strategy/feeds/followed-feeds.ts'
import type { FeedRun } from '../../strategy/strategy-run.ts'
import type { MarketTrader } from './market-trader.ts'
import type { MarketTraders } from './market-traders.ts'
import { type FeedState, StrategyFeed } from './strategy-feed.ts'

const NONE: readonly StrategyFeed[] = []

/** Everything that one strategy follows beside the klines of its own instrument and interval. */
export class StrategyFeeds {
  readonly all: readonly StrategyFeed[]
  /** Kline feeds of each market at the strategy's own interval. */
  readonly #traded: ReadonlyMap<MarketTrader, readonly StrategyFeed[]>

  constructor(
    followed: readonly FollowedFeed[],
    runs: readonly FeedRun[],
    markets: MarketTraders,
    interval: Interval,
  ) {
    this.all = followed.map(feed => {
      const run = runs.find(({ name }) => name === feed.name)
      return new StrategyFeed(feed, markets.of(feed.role), run)
    })
    this.#traded = new Map(
      markets.all.map(market => [
        market,
        this.all.filter(feed => feed.market === market && isOfInterval(feed, interval)),
      ]),
    )
  }

  /** Kline feeds of a market at the strategy's own interval. */
  tradedOn(market: MarketTrader): readonly StrategyFeed[] {
    return this.#traded.get(market) ?? NONE
  }

  /** True once all have shown their warm-up. */
  get areWarm(): boolean {
    return this.all.every(({ isWarm }) => isWarm)
  }

  snapshot(): readonly FeedState[] {
    return this.all.map(feed => feed.snapshot())
  }

  /** Restores the feeds of a snapshot that still exist. */
  restore(states: readonly FeedState[]): void {
    this.all.forEach((feed, index) => {
      const kept = states[index]
      if (kept?.name === (feed.followed.name ?? '')) feed.restore(kept)
    })
  }
}

function isOfInterval({ followed: { feed } }: StrategyFeed, interval: Interval): boolean {
  return feed.type === 'klines' && feed.interval === interval
}
