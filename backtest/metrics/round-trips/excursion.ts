import { closeTimeOf, intervalMs } from '../../../src/domain/market-data/interval.ts'
import { priceOf } from '../../../src/domain/numbers/grid.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import { firstRowAfter } from '../../../src/klines/row-search.ts'
import type { ReplayedMarket } from '../market.ts'
import { KlineExtremes } from './kline-extremes.ts'

/**
 * Maximum favourable and adverse excursion of the price during a round trip, as fractions of its entry price.
 */
export interface Excursion {
  /** Maximum adverse excursion, at least 0. */
  readonly adverse: number
  /** Maximum favorable excursion, at least 0. */
  readonly favorable: number
}

/**
 * Measures the excursions of round trips on one market (J. Sweeney, "Maximum Adverse Excursion", 1997).
 * Counted are the prices of entry and exit, and every kline from that of the entry to the one before that of
 * the exit; an exit at the close of the last kline is after it. The part of the entry's kline after the entry is unknown, so all of it counts; of the exit's
 * kline only the exit price does.
 */
export function excursionMeter({
  instrument,
  interval,
  klines,
}: ReplayedMarket): (roundTrip: RoundTrip) => Excursion {
  const extremes = new KlineExtremes(klines)
  const step = intervalMs(interval)
  const lastClose = closeTimeOf(klines.openTime.at(-1) ?? Number.NaN, interval)
  return ({ direction, entryPrice, exitPrice, entryTime, exitTime }) => {
    const [entry, exit] = [priceOf(instrument, entryPrice), priceOf(instrument, exitPrice)]
    const start = rowAt(klines.openTime, entryTime, step)
    const end = rowAt(klines.openTime, exitTime, step) + (exitTime >= lastClose ? 1 : 0)
    const below = 1 - Math.min(entry, exit, extremes.lowest(start, end)) / entry
    const above = Math.max(entry, exit, extremes.highest(start, end)) / entry - 1
    return direction === 'long' ? { adverse: below, favorable: above } : { adverse: above, favorable: below }
  }
}

/** The row of the kline that `time` falls into: the last that opens by then, or the first of all. */
function rowAt(openTime: Float64Array, time: number, step: number): number {
  const withoutGaps = Math.round((time - (openTime[0] ?? 0)) / step)
  if (openTime[withoutGaps] === time) return withoutGaps
  return Math.max(0, firstRowAfter(openTime, time) - 1)
}
