import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { priceOf, roundToTicks, ticks } from '../../../src/domain/numbers/grid.ts'

/** A point of a path inside a kline, and the extremes already reached. */
export interface PathPoint {
  /** Quote per base. */
  readonly price: number
  /** Which extremes of the kline it has been at: bits of `HIGH` and `LOW`. */
  readonly touched: number
}

/** The bit of the high. */
export const HIGH = 1
/** The bit of the low. */
export const LOW = 2

/** The open, start of every path. */
export function startOf(kline: Kline): PathPoint {
  return { price: kline.open, touched: extremeBitsAt(kline, kline.open) }
}

/** The extremes of a kline that lie at a price. */
export function extremeBitsAt({ high, low }: Kline, price: number): number {
  return (price === high ? HIGH : 0) | (price === low ? LOW : 0)
}

/** The extremes that a path still has to go to, from `touched` on. */
export function untouched({ high, low }: Kline, touched: number): readonly number[] {
  const missing: number[] = []
  if ((touched & LOW) === 0) missing.push(low)
  if ((touched & HIGH) === 0) missing.push(high)
  return missing
}

/** A tick from a price (quote per base) towards another, but not past that. */
export function tickTowards(instrument: Instrument, price: number, to: number): number {
  const tick = roundToTicks(instrument, price, 'nearest')
  const moved = priceOf(instrument, ticks(tick + Math.sign(to - price)))
  return to > price ? Math.min(moved, to) : Math.max(moved, to)
}
