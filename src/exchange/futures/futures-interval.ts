import type { Interval } from '../../domain/market-data/interval.ts'
import { SPOT_INTERVALS } from '../spot/spot-interval.ts'

/** The exchange's names of the futures kline intervals it offers (interface section 4.5); only the hour differs from spot. */
export const FUTURES_INTERVALS = { ...SPOT_INTERVALS, '1h': '1h' } as const

/** The exchange's name of an interval; the interval's own name where it offers none, which the request check then refuses. */
export function futuresIntervalName(interval: Interval): string {
  return interval === '4h' ? interval : FUTURES_INTERVALS[interval]
}
