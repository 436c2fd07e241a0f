import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ema } from '../../src/indicators/ema.ts'
import { macd } from '../../src/indicators/macd.ts'
import { anyKlines, flatKlines, linesOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN
const anyPeriod = fc.integer({ min: 1, max: 15 })

describe('macd', () => {
  it('is the fast average less the slow one, with an average of that as its signal', () => {
    // Fast (1): the closes. Slow (3, weight 1/2): 4, 6, 4, 7. Values: 2, 2, -2, 3.
    // Signal (3): (2 + 2 - 2) / 3 = 2/3, then 2/3 + (3 - 2/3) / 2 = 11/6.
    const klines = flatKlines([2, 4, 6, 8, 2, 10])
    const make = () => macd(1, 3, 3)
    expect(valuesOf(make(), klines)).toEqual([NOT_YET, NOT_YET, 2, 2, -2, 3])
    const signals = linesOf(make(), klines, ({ signal }) => signal).slice(-2)
    expect(signals[0]?.[0]).toBeCloseTo(2 / 3, 12)
    expect(signals[1]?.[0]).toBeCloseTo(11 / 6, 12)
    expect(signals[1]?.[1]).toBeCloseTo(2 / 3, 12)
    const histograms = linesOf(make(), klines, ({ histogram }) => histogram)
    expect(histograms[3]).toEqual([NOT_YET, NOT_YET])
    expect(histograms[5]?.[0]).toBeCloseTo(3 - 11 / 6, 12)
    expect(histograms[5]?.[1]).toBeCloseTo(-2 - 2 / 3, 12)
  })

  it('is of 12, 26 and 9 closes where nothing else is said, and needs 34', () => {
    expect(macd().requiredKlines).toBe(34)
    const klines = flatKlines(Array.from({ length: 60 }, (_, index) => 100 + (index % 7)))
    expect(valuesOf(macd(), klines)).toEqual(valuesOf(macd(12, 26, 9, 'close'), klines))
  })

  it('is the difference of two exponential averages at every kline', () => {
    fc.assert(
      fc.property(anyKlines, anyPeriod, anyPeriod, (klines, fast, slow) => {
        const [fasts, slows] = [valuesOf(ema(fast, 'high'), klines), valuesOf(ema(slow, 'high'), klines)]
        const expected = fasts.map((value, index) => value - (slows[index] ?? NOT_YET))
        expect(valuesOf(macd(fast, slow, 3, 'high'), klines)).toEqual(expected)
      }),
    )
  })

  it('has a signal that is the exponential average of its values', () => {
    fc.assert(
      fc.property(anyKlines, anyPeriod, anyPeriod, (klines, slow, signal) => {
        const values = valuesOf(macd(2, slow, signal), klines).filter(value => !Number.isNaN(value))
        const signals = linesOf(macd(2, slow, signal), klines, line => line.signal).map(([value]) => value)
        const late = klines.length - values.length
        expect(signals.slice(0, late)).toEqual(Array.from({ length: late }, () => NOT_YET))
        expect(signals.slice(late)).toEqual(valuesOf(ema(signal), flatKlines(values)))
      }),
    )
  })
})
