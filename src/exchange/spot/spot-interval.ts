import { INTERVALS, type Interval, isMadeOf } from '../../domain/market-data/interval.ts'

/**
 * Wire names of the spot kline intervals (interface section 4.1); the hour is `60min` here, `1h` on futures.
 */
export const SPOT_INTERVALS = {
  '1m': '1min',
  '5m': '5min',
  '15m': '15min',
  '30m': '30min',
  '1h': '60min',
  '1d': '1day',
  '1w': '1week',
  '1M': '1month',
} as const satisfies Partial<Record<Interval, string>>

/** An interval that the exchange offers; spot and futures offer the same. */
export type OfferedInterval = keyof typeof SPOT_INTERVALS

export function isOffered(interval: Interval): interval is OfferedInterval {
  return Object.hasOwn(SPOT_INTERVALS, interval)
}

/**
 * The interval itself if a host has its klines, otherwise the longest interval that the host has and that divides it.
 * `lacks`: intervals of the interface that the host does not have. Of a host with none of them, the one that the
 * interface offers.
 */
export function offeredPartOf(interval: Interval, lacks: readonly Interval[] = []): OfferedInterval {
  const parts = INTERVALS.filter(isOffered).filter(part => part === interval || isMadeOf(interval, part))
  return parts.findLast(part => !lacks.includes(part)) ?? parts.at(-1) ?? '1m'
}

/**
 * Wire name of an interval; the interval's own name if the exchange does not offer it, and the request check
 * then refuses it.
 */
export function spotIntervalName(interval: Interval): string {
  return isOffered(interval) ? SPOT_INTERVALS[interval] : interval
}
