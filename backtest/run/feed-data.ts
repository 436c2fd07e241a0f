import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { type FollowedFeed, followedFeeds } from '../../src/strategy/feeds/followed-feeds.ts'
import type { BacktestMarket } from './backtest-options.ts'

/** The parts of a market that determine the feeds of its strategy. */
type Followed = Pick<
  BacktestMarket,
  'strategy' | 'parameters' | 'instrument' | 'interval' | 'roles' | 'feeds'
>

/** Feeds of a market's strategy besides its own klines; throws `UsageError` as `followedFeeds` does. */
export function feedsOf({ strategy, parameters, instrument, interval, roles = {} }: Followed) {
  const markets = Object.fromEntries(
    Object.entries(roles).map(([role, { instrument: of }]) => [role, { symbol: of.symbol }]),
  )
  return followedFeeds(strategy, { parameters, symbol: instrument.symbol, interval, markets })
}

/** True if a feed shows the traded klines, so that it needs no data of its own. */
export function isOfTradedKlines({ feed }: FollowedFeed, { interval }: Pick<Followed, 'interval'>): boolean {
  return feed.type === 'klines' && feed.interval === interval
}

/**
 * True if a market depends on no data but its own: its strategy trades no other instrument and follows no feed, or only
 * feeds from recorded ticks.
 */
export function isAlone({ strategy, parameters, ticks }: MaybeAlone): boolean {
  if (strategy.markets.length > 0) return false
  return ticks !== undefined || Object.keys(strategy.feeds(parameters)).length === 0
}

type MaybeAlone = Pick<BacktestMarket, 'strategy' | 'parameters' | 'ticks'>

/** Throws `UsageError` for a feed without data, for data of another kind, and for data of no feed. */
export function checkFeeds(market: Followed): void {
  const { strategy, feeds = {} } = market
  const wanted = feedsOf(market).filter(feed => !isOfTradedKlines(feed, market))
  for (const { name = '', feed, symbol } of wanted) {
    const data = feeds[name]
    const of = feed.type === 'klines' ? `${feed.interval} klines of ${symbol}` : `${feed.type} of ${symbol}`
    if (data === undefined)
      throw new UsageError(
        `The feed "${name}" of strategy "${strategy.name}" shows ${of}, of which this backtest has no data. ${adviceFor(feed.type, name)}`,
      )
    if ((data.type === 'klines') !== (feed.type === 'klines'))
      throw new UsageError(
        `The feed "${name}" of strategy "${strategy.name}" shows ${of}, but was given ${data.type === 'klines' ? 'klines' : 'other data'}.`,
      )
  }
  const unknown = Object.keys(feeds).find(name => !wanted.some(feed => feed.name === name))
  if (unknown !== undefined)
    throw new UsageError(`Strategy "${strategy.name}" needs no data for a feed "${unknown}"; leave it out.`)
}

/** When row `row` of klines is known, ms UTC; infinite behind the last. */
export function closeOf(
  klines: KlineColumns,
  row: number,
  interval: Parameters<typeof closeTimeOf>[1],
): number {
  const openTime = klines.openTime[row]
  return openTime === undefined ? Number.POSITIVE_INFINITY : closeTimeOf(openTime, interval)
}

function adviceFor(type: string, name: string): string {
  switch (type) {
    case 'klines':
      return `Give a file: --feed-data ${name}=FILE.`
    case 'indexPrice':
      return 'Name a markFile in the instrument’s rules.'
    case 'funding':
      return 'Name a fundingFile, a fundingVenue or a fundingRate in the instrument’s rules.'
    default:
      return 'Klines do not tell it: only a replay of recorded ticks shows it.'
  }
}
