import { fundingEvents, markEvents } from '../../../../backtest/futures/feed-events.ts'
import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import type { BacktestOptions, FeedData } from '../../../../backtest/run/backtest-options.ts'
import { feedsOf, isOfTradedKlines } from '../../../../backtest/run/feed-data.ts'
import {
  closeTimeOf,
  type Interval,
  intervalMs,
  isMadeOf,
  openTimeOf,
} from '../../../domain/market-data/interval.ts'
import { suggestion } from '../../../domain/nearest-name.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { firstOpenTime } from '../../../klines/download/absent-spans.ts'
import { fillGaps } from '../../../klines/fill-gaps.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import { sliceKlines } from '../../../klines/slice-klines.ts'
import type { FollowedFeed } from '../../../strategy/feeds/followed-feeds.ts'
import { longerKlines } from '../../longer-klines.ts'
import type { StoredKlines } from '../../stored-klines.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import type { GapPolicy } from '../gap-policy.ts'
import { withoutGaps } from '../without-gaps.ts'
import { sourcesOf } from './backtest-sources.ts'
import { gapsOver, requireReach } from './require-reach.ts'
import type { RoleInput } from './roles-input.ts'

/** Inputs for reading a strategy's feeds. */
export interface FeedsFor extends Pick<BacktestOptions, 'strategy' | 'instrument' | 'interval' | 'futures'> {
  readonly roles: Readonly<Record<string, RoleInput>>
  readonly options: BacktestCommandOptions
  /** The strategy's own klines, and all klines of their file. */
  readonly own: { readonly klines: KlineColumns; readonly whole?: KlineColumns | undefined }
}

/** Data of the feeds, and their additional sources. */
export interface FeedsInput {
  readonly feeds: Readonly<Record<string, FeedData>>
  readonly files: readonly DataSource[]
}

/**
 * Reads the data of a strategy's feeds: klines of a file or of the store, or resampled from the traded klines
 * if their interval divides; prices and funding of contracts from the files of their rules. Rejects with
 * `UsageError` for a feed without data, and for data of an unknown feed.
 */
export async function readFeeds(wanted: FeedsFor): Promise<FeedsInput> {
  const { options, own } = wanted
  const market = { ...wanted, parameters: options.parameters }
  const followed = feedsOf(market)
  requireUsed(wanted, followed)
  const feeds: [string, FeedData][] = []
  const files: DataSource[] = []
  for (const feed of followed) {
    if (feed.name === undefined || isOfTradedKlines(feed, market)) continue
    if (feed.feed.type === 'klines') {
      const { klines, data } = await klinesOf(wanted, feed, feed.feed.interval)
      feeds.push([feed.name, { type: 'klines', klines }])
      if (data !== undefined) files.push(data)
    } else {
      const events = eventsOf(wanted, feed, own.klines)
      if (events !== undefined) feeds.push([feed.name, { type: 'data', events }])
    }
  }
  return { feeds: Object.fromEntries(feeds), files }
}

interface FeedKlines {
  readonly klines: KlineColumns
  /** `undefined` for resampled klines. */
  readonly data?: DataSource
}

async function klinesOf(wanted: FeedsFor, feed: FollowedFeed, interval: Interval): Promise<FeedKlines> {
  const { options, own } = wanted
  const { name = '', symbol, role } = feed
  const given = options.feedData ?? {}
  // A name of a market means that market.
  const file = wanted.strategy.markets.includes(name) ? undefined : given[name]
  if (file !== undefined) {
    const { columns, sha256 } = await sourcesOf(options).klineFile(file)
    const { klines, lacks } = shownKlines(wanted, feed, interval, { columns, name: file })
    return { klines, data: { path: file, sha256, klines: columns.length, lacks } }
  }
  const traded = role === undefined ? (own.whole ?? own.klines) : wanted.roles[role]?.klines
  // There is at least one kline.
  const end = own.klines.openTime.at(-1) as number
  const made = () =>
    traded === undefined
      ? undefined
      : resampled(sliceKlines(traded, { to: end + 1 }), wanted.interval, interval, options.gaps)
  const isFromFile = options.data !== undefined || (role !== undefined && given[role] !== undefined)
  const first = isFromFile ? made() : undefined
  if (first !== undefined) return { klines: first }
  const stored = storedOf(wanted, feed, interval)
  if (!(stored instanceof UsageError)) return stored
  const instead = made()
  if (instead !== undefined) return { klines: instead }
  throw new UsageError(
    `The feed "${name}" of strategy "${wanted.strategy.name}" shows ${interval} klines of ${symbol}, which cannot be made of those of ${wanted.interval}. ${stored.message}\nOr give a file: --feed-data ${name}=FILE.`,
    stored,
  )
}

/**
 * Klines of a feed that close by the end of the backtest, with earlier ones for its indicators, and what they lack; throws
 * `UsageError` for klines of another interval, which would be shown at wrong times, and for those that do not
 * reach over the backtest.
 */
function shownKlines(
  { options, own: { klines }, interval: ownInterval }: FeedsFor,
  { name: feed = '', symbol }: FollowedFeed,
  interval: Interval,
  { columns, name }: Pick<StoredKlines, 'columns' | 'name'>,
): Pick<FeedKlines, 'klines'> & Pick<DataSource, 'lacks'> {
  // There is at least one kline.
  const [start, lastOwn] = [klines.openTime[0] as number, klines.openTime.at(-1) as number]
  const end = openTimeOf(closeTimeOf(lastOwn, ownInterval), interval)
  const first = firstOpenTime(start, interval)
  withoutGaps(columns, { interval, policy: 'skip', name }) // which refuses other intervals
  const shown = sliceKlines(columns, { to: end })
  if (first >= end) return { klines: shown }
  const [policy, within] = [options.gaps, sliceKlines(shown, { from: first })]
  const of = `feed "${feed}" (${symbol} ${interval})`
  const last = openTimeOf(end - 1, interval)
  requireReach({ of, source: name, first, last, within, all: columns, allowsLess: policy === 'skip' })
  const whole = withoutGaps(within, { interval, policy, name })
  if (policy === 'fill') return { klines: fillGaps(shown, interval) }
  const { missing } = gapsOver(whole, { first, last }, interval)
  if (missing === 0) return { klines: shown }
  return { klines: shown, lacks: { feed, missing, of: within.length + missing } }
}

/** Klines of the store, with earlier ones for the indicators of the feed; the error if there are none that can be used. */
function storedOf(wanted: FeedsFor, feed: FollowedFeed, interval: Interval): FeedKlines | UsageError {
  const { options, own, interval: ownInterval } = wanted
  // There is at least one kline.
  const [start, lastOwn] = [own.klines.openTime[0] as number, own.klines.openTime.at(-1) as number]
  const before = HISTORY * intervalMs(interval)
  const { store, venue } = options
  try {
    const stored = sourcesOf(options).storedKlines({
      ...{ store, symbol: feed.symbol, interval, allowsLess: true, madeBy: options.gaps },
      ...{ from: start - before, to: openTimeOf(closeTimeOf(lastOwn, ownInterval), interval) },
      ...(venue !== undefined && { venue }),
    })
    const { columns, sha256, name, resampled: made } = stored
    const { klines, lacks } = shownKlines(wanted, feed, interval, stored)
    return {
      klines,
      data: { path: name.replaceAll('/', '-'), sha256, klines: columns.length, resampled: made, lacks },
    }
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

/** Number of stored klines of a feed before the first own kline. */
const HISTORY = 1000

/** Longer klines; `undefined` if they cannot be built from the shorter ones. */
function resampled(
  klines: KlineColumns,
  from: Interval,
  to: Interval,
  policy: GapPolicy,
): KlineColumns | undefined {
  if (!isMadeOf(to, from)) return undefined
  return longerKlines(klines, { from, to, policy })
}

function eventsOf(
  { futures, roles, interval }: FeedsFor,
  { role, feed, symbol }: FollowedFeed,
  own: KlineColumns,
) {
  const data = role === undefined ? futures : roles[role]?.futures
  const traded = role === undefined ? own : (roles[role]?.klines ?? own)
  if (feed.type === 'indexPrice') return data?.mark && markEvents(symbol, data.mark, interval)
  return feed.type === 'funding' && data?.funding !== undefined
    ? fundingEvents(symbol, data.funding, traded)
    : undefined
}

/** Throws `UsageError` for files that would not be read. */
function requireUsed(
  { options: { feedData = {} }, strategy: { markets: roles }, interval }: FeedsFor,
  followed: readonly FollowedFeed[],
): void {
  const named = followed.filter(({ name, feed }) => name !== undefined && feed.type === 'klines')
  const known = [...roles, ...named.map(({ name = '' }) => name)]
  for (const given of Object.keys(feedData)) {
    if (roles.includes(given)) continue
    const feed = named.find(({ name }) => name === given)
    if (feed === undefined) {
      const hint = known.length === 0 ? ' It follows nothing but its own klines.' : suggestion(given, known)
      throw new UsageError(
        `--feed-data names "${given}", which is no market and no feed of klines of the strategy.${hint}`,
      )
    }
    if (isOfTradedKlines(feed, { interval }))
      throw new UsageError(
        `--feed-data names the feed "${given}", but it shows the klines that are traded on; name their file with ${feed.role === undefined ? '--data FILE' : `--feed-data ${feed.role}=FILE`}.`,
      )
  }
}

/** Input where recorded trades show all feeds; throws `UsageError` if files of klines are named nevertheless. */
export function feedsOfTicks({ feedData = {} }: BacktestCommandOptions) {
  const [name] = Object.keys(feedData)
  if (name === undefined) return { feeds: undefined, files: [] }
  throw new UsageError(
    `--feed-data names klines for "${name}", but recorded trades are played, and they show all feeds and markets; leave it out.`,
  )
}
