import type { Interval } from '../../domain/market-data/interval.ts'
import type { FeedRun } from '../../strategy/define-strategy.ts'
import type { FollowedFeed } from '../../strategy/feeds/followed-feeds.ts'
import { DeskFeed, type FeedState } from './desk-feed.ts'
import type { DeskMarkets } from './desk-markets.ts'
import type { MarketDesk } from './market-desk.ts'

const NONE: readonly DeskFeed[] = []

/** Everything that one desk follows beside the klines of its own instrument and interval. */
export class DeskFeeds {
  readonly all: readonly DeskFeed[]
  /** Those of the klines that each market is traded on. */
  readonly #traded: ReadonlyMap<MarketDesk, readonly DeskFeed[]>

  constructor(
    followed: readonly FollowedFeed[],
    runs: readonly FeedRun[],
    markets: DeskMarkets,
    interval: Interval,
  ) {
    this.all = followed.map(feed => {
      const run = runs.find(({ name }) => name === feed.name)
      return new DeskFeed(feed, markets.of(feed.role), run)
    })
    this.#traded = new Map(
      markets.all.map(market => [
        market,
        this.all.filter(feed => feed.market === market && isOfInterval(feed, interval)),
      ]),
    )
  }

  /** Those of the klines that a market is traded on. */
  tradedOn(market: MarketDesk): readonly DeskFeed[] {
    return this.#traded.get(market) ?? NONE
  }

  /** Whether all have shown what is needed before the first decision. */
  get areWarm(): boolean {
    return this.all.every(({ isWarm }) => isWarm)
  }

  snapshot(): readonly FeedState[] {
    return this.all.map(feed => feed.snapshot())
  }

  /** Takes over a snapshot, as far as it has the same feeds. */
  restore(states: readonly FeedState[]): void {
    this.all.forEach((feed, index) => {
      const kept = states[index]
      if (kept?.name === (feed.followed.name ?? '')) feed.restore(kept)
    })
  }
}

function isOfInterval({ followed: { feed } }: DeskFeed, interval: Interval): boolean {
  return feed.type === 'klines' && feed.interval === interval
}
