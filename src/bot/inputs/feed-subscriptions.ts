import type { ConfiguredMarket } from '../../config/configured-market.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { MarketSubscription } from '../../market/market-subscription.ts'
import type { FollowedFeed } from '../../strategy/feeds/followed-feeds.ts'

/** Poll interval of the index for settled funding rates, ms. */
const FUNDING_EVERY_MS = 60_000

/**
 * Subscription of a feed on its market; throws `UsageError` for data that the exchange does not offer there.
 */
export function feedSubscription(
  { name = '', symbol: of, feed }: FollowedFeed,
  { market, name: symbol }: ConfiguredMarket,
): MarketSubscription {
  switch (feed.type) {
    case 'klines':
      return { type: 'klines', market, symbol, interval: feed.interval }
    case 'ticker':
      return { type: 'ticker', market, symbol, everyMs: feed.everyMs }
    case 'depth':
      return { type: 'depth', market, symbol, levels: feed.levels, everyMs: feed.everyMs }
    case 'trades':
      if (market === 'spot') return { type: 'trades', market, symbol, everyMs: feed.everyMs }
      throw new UsageError(
        `The feed "${name}" shows public trades of the contract ${of}, but the exchange tells those of spot pairs only.`,
      )
    case 'indexPrice':
    case 'funding': {
      const everyMs = feed.type === 'indexPrice' ? feed.everyMs : FUNDING_EVERY_MS
      if (market === 'futures') return { type: 'indexPrice', market, symbol, everyMs }
      throw new UsageError(
        `The feed "${name}" shows the ${feed.type === 'funding' ? 'funding' : 'index price'} of ${of}, but that is a spot pair; give it a market that is a contract.`,
      )
    }
  }
}
