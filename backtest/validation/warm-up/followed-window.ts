import { closeTimeOf } from '../../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../../src/klines/row-search.ts'
import { sliceKlines, sliceRows } from '../../../src/klines/slice-klines.ts'
import type { BacktestOptions, FeedData } from '../../run/backtest-options.ts'
import { closeOf, feedsOf } from '../../run/feed-data.ts'
import { declaredFeedWarmUps } from './declared-warm-up.ts'

/** A stretch of own klines, with the history before it. */
interface FollowedWindow {
  readonly klines: KlineColumns
  /** Open of the first kline that is decided on, ms UTC. */
  readonly from: number
  readonly hasAllFeeds: boolean
}

/**
 * Data that a strategy follows in a window: the instruments of its roles over the time of its own klines, and
 * feeds with the declared history before the window, as a bot requests at its start, or with all of it.
 */
export function followedIn(
  backtest: BacktestOptions,
  { klines, from, hasAllFeeds }: FollowedWindow,
): Pick<BacktestOptions, 'roles' | 'feeds'> {
  const { roles = {}, feeds = {}, interval } = backtest
  const [first, last] = [klines.openTime[0] ?? 0, klines.openTime.at(-1) ?? 0]
  const span = { from: first, to: closeTimeOf(last, interval) }
  const warmUps = declaredFeedWarmUps(backtest)
  const intervals = new Map(
    feedsOf(backtest).map(({ name, feed }) => [name, feed.type === 'klines' ? feed.interval : interval]),
  )
  const cut = (name: string, data: FeedData): FeedData => {
    if (data.type === 'data' || hasAllFeeds) return data
    const length = intervals.get(name) ?? interval
    // The first row that is not known at the window's beginning.
    let next = firstRowAtOrAfter(data.klines.openTime, from)
    while (next > 0 && closeOf(data.klines, next - 1, length) > from) next--
    const begin = Math.max(0, next - (warmUps.get(name) ?? 0))
    return { ...data, klines: sliceRows(data.klines, begin, data.klines.length) }
  }
  return {
    roles: Object.fromEntries(
      Object.entries(roles).map(([role, of]) => [role, { ...of, klines: sliceKlines(of.klines, span) }]),
    ),
    feeds: Object.fromEntries(Object.entries(feeds).map(([name, data]) => [name, cut(name, data)])),
  }
}
