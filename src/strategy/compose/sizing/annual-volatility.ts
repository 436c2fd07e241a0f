import { type Interval, intervalMs } from '../../../domain/market-data/interval.ts'

const YEAR_MS = 365 * 86_400_000

/**
 * Annualised volatility from that of one kline of `interval`: multiplied by the square root of the klines per
 * year. These markets never close, hence 365 days.
 */
export function annualVolatility(perKline: number, interval: Interval): number {
  return perKline * Math.sqrt(YEAR_MS / intervalMs(interval))
}
