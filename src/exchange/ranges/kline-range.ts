import { type Interval, intervalMs } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { MS_PER_DAY, type ServerNow } from './range-time.ts'
import { timeRange } from './time-range.ts'
import type { Range } from './until-aborted.ts'

/** Most klines in an answer (interface section 8). */
export const KLINES_LIMIT = 300

/** Klines between two times. */
export interface KlineRange {
  /** Name in errors. */
  readonly what: string
  readonly interval: Interval
  /** ms UTC, both included. */
  readonly from: number
  /** Default: now. */
  readonly to: number | undefined
  readonly now: ServerNow
  /** At most `limit` klines of a window, both ends included; klines outside of it are dropped here. */
  read(startTime: number, endTime: number, limit: number): Promise<readonly Kline[]>
}

/**
 * Reads klines in windows that hold at most one answer. Windows grow over times without klines, such as
 * before a market opened, so that a range may begin long before the first kline.
 */
export async function* klineRange({ what, interval, from, to, now, read }: KlineRange): Range<Kline> {
  const wholeMs = KLINES_LIMIT * shortestMs(interval) - 1
  yield* timeRange({
    what,
    from,
    to: to ?? (await now()),
    limit: KLINES_LIMIT,
    longestMs: Number.POSITIVE_INFINITY,
    firstMs: wholeMs,
    wholeMs,
    read: async (start, end) => {
      const klines = await read(start, end, KLINES_LIMIT)
      return klines.filter(({ openTime }) => openTime >= start && openTime <= end)
    },
    positionOf: ({ openTime }) => ({ time: openTime, id: '' }),
    nameOf: ({ openTime }) => String(openTime),
  })
}

function shortestMs(interval: Interval): number {
  return interval === '1M' ? 28 * MS_PER_DAY : intervalMs(interval)
}
