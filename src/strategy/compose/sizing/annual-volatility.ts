import { type Interval, intervalMs } from '../../../domain/market-data/interval.ts'

const YEAR_MS = 365 * 86_400_000

/**
 * Volatility of a year, of that of one kline of `interval`: times the root of the klines in a year. Markets here never close,
 * hence 365 days.
 */
export function annualVolatility(perKline: number, interval: Interval): number {
  return perKline * Math.sqrt(YEAR_MS / intervalMs(interval))
}
