import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { BacktestOptions } from './backtest-options.ts'
import { feedsOf, isOfTradedKlines } from './feed-data.ts'

/** Throws `UsageError` where recorded trades and the rest of a backtest do not fit together. */
export function checkTicks(options: BacktestOptions): void {
  const { ticks, detail, fills, futures, sizingReference } = options
  if (ticks === undefined) return
  if (detail !== undefined || fills.path === 'detail')
    throw new UsageError(
      'Recorded trades tell the path by themselves; leave finer klines and the path "detail" out.',
    )
  if (sizingReference === 'nextOpen')
    throw new UsageError(
      'Recorded trades have no opens to size orders at; leave sizingReference: nextOpen out.',
    )
  if (futures?.mark !== undefined)
    throw new UsageError(
      'Klines of a mark price are only known as a whole, which trades inside them would see; leave markFile out.',
    )
  for (const { ticks: of } of [options, ...Object.values(options.roles ?? {})])
    if (of !== undefined) checkBooks(of)
  checkFeeds(options)
}

function checkFeeds(options: BacktestOptions): void {
  const { strategy, ticks, roles = {} } = options
  for (const followed of feedsOf(options)) {
    const { name, role, symbol, feed } = followed
    if (feed.type === 'trades' || feed.type === 'ticker' || isOfTradedKlines(followed, options)) continue
    if (feed.type !== 'depth')
      throw new UsageError(
        `The feed "${name}" of strategy "${strategy.name}" shows ${feed.type}, which trades of ${symbol} do not tell.`,
      )
    const { books } = (role === undefined ? ticks : roles[role]?.ticks) ?? {}
    if (books !== undefined) continue
    throw new UsageError(
      `The feed "${name}" of strategy "${strategy.name}" shows the order book, of which trades of ${symbol} tell nothing; give the best bids and asks that were recorded with them, as --book FILE.`,
    )
  }
}

function checkBooks({ trades, books }: TickData): void {
  const [first, last] = [trades.time[0], trades.time.at(-1)]
  if (books === undefined || first === undefined || last === undefined) return
  const [from, to] = [
    books.time[0] ?? Number.POSITIVE_INFINITY,
    books.time.at(-1) ?? Number.NEGATIVE_INFINITY,
  ]
  if (from <= last && to >= first) return
  throw new UsageError(
    `The best bids and asks must be of the time of the trades, from ${utcText(first)} to ${utcText(last)}; give those that were recorded with them.`,
  )
}
