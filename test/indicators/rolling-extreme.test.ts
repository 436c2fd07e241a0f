import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { highest, lowest } from '../../src/indicators/rolling-extreme.ts'
import { anyKlines, flatKlines, previousOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN
const anyPeriod = fc.integer({ min: 1, max: 30 })
/** Klines of few different prices, so that many are equal. */
const manyTies = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 200 })
  .map(prices => flatKlines(prices))

/** The extreme of each window, looked up afresh. */
function naive(
  klines: readonly Kline[],
  period: number,
  pick: (window: readonly Kline[]) => number,
): number[] {
  return klines.map((_, index) =>
    index + 1 < period ? NOT_YET : pick(klines.slice(index + 1 - period, index + 1)),
  )
}
const highestHigh = (window: readonly Kline[]) => Math.max(...window.map(kline => kline.high))
const lowestLow = (window: readonly Kline[]) => Math.min(...window.map(kline => kline.low))

describe('highest and lowest', () => {
  it('include the kline that just closed', () => {
    const klines = flatKlines([3, 1, 2, 5, 4, 4, 1])
    expect(valuesOf(highest(3), klines)).toEqual([NOT_YET, NOT_YET, 3, 5, 5, 5, 4])
    expect(valuesOf(lowest(3), klines)).toEqual([NOT_YET, NOT_YET, 1, 1, 2, 4, 1])
  })

  it('leave it out in `previous`', () => {
    const klines = flatKlines([3, 1, 2, 5, 4])
    expect(previousOf(highest(3), klines)).toEqual([NOT_YET, NOT_YET, NOT_YET, 3, 5])
    expect(previousOf(lowest(3), klines)).toEqual([NOT_YET, NOT_YET, NOT_YET, 1, 1])
  })

  it('of one kline are its high and its low', () => {
    const [kline] = [{ openTime: 0, open: 2, high: 4, low: 1, close: 3, volume: 9 }]
    expect(valuesOf(highest(1), [kline])).toEqual([4])
    expect(valuesOf(lowest(1), [kline])).toEqual([1])
    expect(valuesOf(highest(1, 'volume'), [kline])).toEqual([9])
  })

  it.each([
    ['any prices', anyKlines],
    ['many ties', manyTies],
  ])('are the extremes of the window, with %s', (_name, series) => {
    fc.assert(
      fc.property(series, anyPeriod, (klines, period) => {
        expect(valuesOf(highest(period), klines)).toEqual(naive(klines, period, highestHigh))
        expect(valuesOf(lowest(period), klines)).toEqual(naive(klines, period, lowestLow))
      }),
    )
  })

  it.each([
    ['rises', (index: number) => index],
    ['falls', (index: number) => -index],
    ['stands still', () => 7],
  ])('hold no matter how long a price %s', (_name, price) => {
    const klines = flatKlines(Array.from({ length: 1000 }, (_, index) => 1000 + price(index)))
    expect(valuesOf(highest(48), klines)).toEqual(naive(klines, 48, highestHigh))
    expect(valuesOf(lowest(48), klines)).toEqual(naive(klines, 48, lowestLow))
  })
})
