import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { EndpointCall } from '../call/endpoint-call.ts'
import { klineRange } from '../ranges/kline-range.ts'
import { MS_PER_DAY, type ServerNow, sixMonthsBefore } from '../ranges/range-time.ts'
import { timeRange } from '../ranges/time-range.ts'
import { patiently, type Range, type RangeOptions, untilAborted } from '../ranges/until-aborted.ts'
import type { OwnTrade } from '../spot/own-trade.ts'
import type { SpotOrder } from '../spot/spot-order.ts'
import type { SymbolNames } from '../spot/symbol-names.ts'
import { nameOfTrade, type OwnTradesRange, ownTradesRange } from './own-trades-range.ts'
import { spotMarketCalls } from './spot-market-calls.ts'
import { spotOrderCalls } from './spot-order-calls.ts'

/** Range of klines; times in ms UTC, both included. */
interface KlinesRange extends RangeOptions {
  readonly symbol: string
  readonly interval: Interval
  readonly from: number
  /** Default: now. */
  readonly to?: number
  /**
   * Time zone in which days, weeks and months begin, in the form `UTC-09`; default: the exchange's choice.
   */
  readonly timezone?: string
}

/** Range of orders or trades; times in ms UTC, both included. */
interface HistoryRange extends RangeOptions {
  /** Default: all pairs, at weight 80 a call. */
  readonly symbol?: string
  /** Default: 6 months ago, the earliest time that the exchange keeps. */
  readonly from?: number
  /** Default: now. */
  readonly to?: number
}

/**
 * Complete spot lists, read page by page: item by item, oldest first, without duplicates. To resume, begin
 * with the time (or id) of the last item; items of that time are repeated, none is lost. A step rejects with
 * the error of its call, with the signal's reason once it aborts, or with `IncompleteRangeError`.
 */
export interface SpotRanges {
  /** Klines, 300 a call; the newest may still be growing. */
  allKlines(range: KlinesRange): Range<Kline>
  /** Orders in any state by time, 7 days or 100 orders a call. */
  allHistoryOrders(range?: HistoryRange): Range<SpotOrder>
  /** Own trades by time (v3), 7 days or 100 trades a call. */
  allHistoryTrades(range?: HistoryRange): Range<OwnTrade>
  /** Own trades by id (v2), 1000 a call, including those that happen meanwhile. */
  allMyTrades(range: OwnTradesRange): Range<OwnTrade>
}

/** Most entries in an answer of the v3 lists (interface section 8). */
const HISTORY_LIMIT = 100
const LONGEST_HISTORY_MS = 7 * MS_PER_DAY

/** Range methods over `call`. */
export function spotRanges(call: EndpointCall, names: SymbolNames, now: ServerNow): SpotRanges {
  const orders = (options: RangeOptions) => spotOrderCalls(patiently(call, options), names)
  return {
    allKlines: range => {
      const { signal, from, to, ...query } = range
      const { klines } = spotMarketCalls(patiently(call, range), names)
      const read = (startTime: number, endTime: number, limit: number) =>
        klines({ ...query, startTime, endTime, limit })
      return untilAborted(
        klineRange({ what: 'spot klines', interval: query.interval, from, to, now, read }),
        signal,
      )
    },
    allHistoryOrders: (range = {}) => {
      const { historyOrders } = orders(range)
      const read: HistoryRead<SpotOrder> = query => historyOrders(query)
      const positionOf = ({ time, orderId }: SpotOrder) => ({ time, id: orderId })
      const nameOf = ({ symbol, orderId }: SpotOrder) => `${symbol} ${orderId}`
      const items = { what: 'spot history orders', read, positionOf, nameOf }
      return untilAborted(historyRange(range, now, items), range.signal)
    },
    allHistoryTrades: (range = {}) => {
      const { historyTrades } = orders(range)
      const read: HistoryRead<OwnTrade> = query => historyTrades(query)
      const positionOf = ({ time, id }: OwnTrade) => ({ time, id })
      const items = { what: 'own spot trades', read, positionOf, nameOf: nameOfTrade }
      return untilAborted(historyRange(range, now, items), range.signal)
    },
    allMyTrades: range => ownTradesRange(range, query => orders(range).myTrades(query)),
  }
}

type HistoryRead<Item> = (query: {
  readonly symbol?: string
  readonly limit: number
  readonly startTime: number
  readonly endTime: number
}) => Promise<readonly Item[]>

interface HistoryItems<Item> {
  readonly what: string
  readonly read: HistoryRead<Item>
  positionOf(item: Item): { readonly time: number; readonly id: string }
  nameOf(item: Item): string
}

async function* historyRange<Item>(
  { symbol, from, to }: HistoryRange,
  now: ServerNow,
  { what, read, positionOf, nameOf }: HistoryItems<Item>,
): Range<Item> {
  const latest = to ?? (await now())
  yield* timeRange({
    what,
    from: from ?? sixMonthsBefore(await now()),
    to: latest,
    limit: HISTORY_LIMIT,
    longestMs: LONGEST_HISTORY_MS,
    firstMs: LONGEST_HISTORY_MS,
    read: (startTime, endTime) =>
      read({ ...(symbol !== undefined && { symbol }), limit: HISTORY_LIMIT, startTime, endTime }),
    positionOf,
    nameOf,
  })
}
