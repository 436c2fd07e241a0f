import type { BotConfig } from '../../config/bot-config.ts'
import type { StrategySubscriptions } from './strategy-subscriptions.ts'

/**
 * The configuration with as many levels of a paper account as its strategies follow: the exchange in the bot's process
 * shows no more than what is read of the host.
 */
export function withFollowedLevels(config: BotConfig, followed: readonly StrategySubscriptions[]): BotConfig {
  const { venue } = config
  if (venue.type !== 'paper') return config
  const levels = Math.max(venue.levels, ...depthFeeds(followed).map(({ levels }) => levels))
  return levels === venue.levels ? config : { ...config, venue: { ...venue, levels } }
}

/** Feeds of order books and trades that want a market oftener than a paper account reads it of the host, a sentence each. */
export function slowFeeds(
  { venue }: BotConfig,
  followed: readonly StrategySubscriptions[],
): readonly string[] {
  if (venue.type !== 'paper') return []
  const { readMs } = venue
  const slow = followed.flatMap(({ feeds = [] }) =>
    feeds.flatMap(({ name, symbol, feed }) =>
      (feed.type === 'depth' || feed.type === 'trades') && feed.everyMs < readMs
        ? [
            `The feed "${name}" wants ${feed.type === 'depth' ? 'the order book' : 'trades'} of ${symbol} every ${feed.everyMs} ms, but a paper account reads the host every ${readMs} ms (venue.readMs), so that the feed shows nothing newer in between.`,
          ]
        : [],
    ),
  )
  return [...new Set(slow)]
}

function depthFeeds(followed: readonly StrategySubscriptions[]) {
  return followed.flatMap(({ feeds = [] }) =>
    feeds.flatMap(({ feed }) => (feed.type === 'depth' ? [feed] : [])),
  )
}
