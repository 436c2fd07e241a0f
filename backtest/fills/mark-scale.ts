import type { Kline } from '../../src/domain/market-data/kline.ts'

type Range = Pick<Kline, 'low' | 'high'>

/**
 * The mark price while the price is at `price`: as far between the low and the high of its kline as the price
 * is within those of its own.
 */
export function markAtPrice(price: number, kline: Range, mark: Range): number {
  return atSamePart(price, kline, mark)
}

/** The price while the mark price is at `mark`: the inverse of `markAtPrice`. */
export function priceAtMark(mark: number, kline: Range, markKline: Range): number {
  return atSamePart(mark, markKline, kline)
}

/** The value at the same part of another range; the low of it, where the first has no extent. */
function atSamePart(value: number, from: Range, to: Range): number {
  if (from.low === to.low && from.high === to.high) return value
  const part = from.high === from.low ? 0 : (value - from.low) / (from.high - from.low)
  return to.low + part * (to.high - to.low)
}
