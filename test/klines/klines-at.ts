import type { KlineColumns } from '../../src/klines/kline-columns.ts'

/** Klines at the given open times (ms UTC), all at a price of 1. */
export function klinesAt(openTimes: readonly number[]): KlineColumns {
  const ones = new Float64Array(openTimes.length).fill(1)
  return {
    length: openTimes.length,
    openTime: Float64Array.from(openTimes),
    open: ones,
    high: ones,
    low: ones,
    close: ones,
    volume: ones,
  }
}
