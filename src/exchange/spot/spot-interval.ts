import type { Interval } from '../../domain/market-data/interval.ts'

/** The exchange's names of the spot kline intervals it offers (interface section 4.1); the hour is `60min` here, `1h` on futures. */
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

/** The exchange's name of an interval; the interval's own name where it offers none, which the request check then refuses. */
export function spotIntervalName(interval: Interval): string {
  return interval === '4h' ? interval : SPOT_INTERVALS[interval]
}
