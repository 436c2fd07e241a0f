import { bookOf, wholeBook } from '../domain/book-names.ts'
import type { Engine } from '../engine/engine.ts'
import { shownData } from '../engine/routing/shown-data.ts'
import type { DataType } from '../engine/routing/subscriptions.ts'
import type { DecisionOnDatum, LiveRecord } from './live-record.ts'

type Runner = Engine['runners'][number]

/** A strategy that decided on a feed at prices that no kline tells, so that a backtest over klines cannot follow it. */
export interface UnreplayedFeed {
  readonly strategy: string
  readonly symbol: string
  /** Name of the feed. */
  readonly feed: string
  /** Kind of the feed, and the instrument of its data. */
  readonly shows: DataType
  readonly of: string
  /** Number of orders that were decided on it. */
  readonly orders: number
  /** Books that the strategy trades in. */
  readonly books: readonly string[]
}

/**
 * Feeds on which strategies decided and that a comparison cannot replay, at most one a strategy: that with most orders.
 * Klines tell nothing of tickers, order books and trades; index prices and funding can be replayed only where a kline of
 * the traded book closes at that moment, because the backtest trades at no other.
 */
export function unreplayedFeeds(
  live: Pick<LiveRecord, 'decisionsOnData' | 'hasClose'>,
  runners: readonly Runner[],
): readonly UnreplayedFeed[] {
  return runners.flatMap(runner => {
    const found = runner.feeds.flatMap(({ followed: { name = '', feed, symbol } }): UnreplayedFeed[] => {
      if (feed.type === 'klines') return []
      const orders = live.decisionsOnData.filter(
        decision =>
          isOn(decision, feed.type, symbol) && isOf(decision, runner) && !isReplayed(decision, runner, live),
      ).length
      const [own] = runner.markets
      if (orders === 0 || own === undefined) return []
      const books = runner.markets.map(({ book }) => book)
      return [
        {
          strategy: own.strategy,
          symbol: own.symbol,
          feed: name,
          shows: feed.type,
          of: symbol,
          orders,
          books,
        },
      ]
    })
    return found.toSorted((left, right) => right.orders - left.orders).slice(0, 1)
  })
}

function isOn({ event }: DecisionOnDatum, type: DataType, symbol: string): boolean {
  return event.symbol === symbol && shownData(event).type === type
}

/** True for an order of a strategy itself: its protective orders follow from fills and prices. */
function isOf({ request }: DecisionOnDatum, { markets }: Runner): boolean {
  const book = wholeBook(bookOf(request))
  return request.protects === undefined && markets.some(market => market.book === book)
}

function isReplayed(
  { event, request }: DecisionOnDatum,
  { interval }: Runner,
  live: Pick<LiveRecord, 'hasClose'>,
): boolean {
  const { type } = shownData(event)
  return (
    (type === 'indexPrice' || type === 'funding') &&
    live.hasClose(`${request.symbol} ${interval}`, request.decidedAt)
  )
}
