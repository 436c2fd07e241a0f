import { type Interval, intervalMs } from '../../domain/market-data/interval.ts'
import type { TimeToLive } from '../../domain/signal.ts'

/** A length of market time in ms; klines count without gaps. */
export function lengthMs(length: TimeToLive, interval: Interval): number {
  return 'ms' in length ? length.ms : length.klines * intervalMs(interval)
}
