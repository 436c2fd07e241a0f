import type { Interval } from '../../domain/market-data/interval.ts'
import { isOffered, SPOT_INTERVALS } from '../spot/spot-interval.ts'

/** Wire names of the futures kline intervals (interface section 4.5); only the hour differs from spot. */
export const FUTURES_INTERVALS = { ...SPOT_INTERVALS, '1h': '1h' } as const

/**
 * Wire name of an interval; the interval's own name if the exchange does not offer it, and the request check
 * then refuses it.
 */
export function futuresIntervalName(interval: Interval): string {
  return isOffered(interval) ? FUTURES_INTERVALS[interval] : interval
}
