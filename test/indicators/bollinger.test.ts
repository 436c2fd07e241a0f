import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bollinger } from '../../src/indicators/bollinger.ts'
import { anyKlines, flatKlines, linesOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN

/** Mean and standard deviation of the population, in two passes. */
function spreadOf(values: readonly number[]): { readonly mean: number; readonly deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

describe('bollinger', () => {
  it('lies so many standard deviations of its klines around their mean', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squared distances 9+1+1+1+0+0+4+16 = 32, deviation √(32 / 8) = 2.
    const bands = bollinger(8, 1.5)
    valuesOf(bands, flatKlines([2, 4, 4, 4, 5, 5, 7, 9]))
    expect([bands.lower.value, bands.value, bands.upper.value]).toEqual([2, 5, 8])
  })

  it('moves with every kline, and shows the one before', () => {
    // Means 2, 4 and 6 of two klines, with deviations 1, 1 and 1.
    const klines = flatKlines([1, 3, 5, 7])
    expect(linesOf(bollinger(2, 2), klines, ({ upper }) => upper)).toEqual([
      [NOT_YET, NOT_YET],
      [4, NOT_YET],
      [6, 4],
      [8, 6],
    ])
    expect(linesOf(bollinger(2, 2), klines, ({ lower }) => lower)).toEqual([
      [NOT_YET, NOT_YET],
      [0, NOT_YET],
      [2, 0],
      [4, 2],
    ])
  })

  it('takes two deviations of the closes where nothing else is said', () => {
    const klines = flatKlines([1, 3]).map(kline => ({ ...kline, high: 100 }))
    const bands = bollinger(2)
    valuesOf(bands, klines)
    expect([bands.lower.value, bands.value, bands.upper.value]).toEqual([0, 2, 4])
    const ofHighs = bollinger(2, 2, 'high')
    valuesOf(ofHighs, klines)
    expect([ofHighs.lower.value, ofHighs.upper.value]).toEqual([100, 100])
  })

  it('has no width where the price stands still', () => {
    const bands = bollinger(4)
    valuesOf(bands, flatKlines([8, 9, 7, 8, 3, 3, 3, 3]))
    expect([bands.lower.value, bands.upper.value]).toEqual([3, 3])
  })

  it('is mean and deviation of its window', () => {
    fc.assert(
      fc.property(anyKlines, fc.integer({ min: 1, max: 40 }), (klines, period) => {
        const bands = bollinger(period)
        for (const [index, kline] of klines.entries()) {
          bands.update(kline)
          if (index + 1 < period) expect(bands.upper.value).toBeNaN()
          else {
            const { mean, deviation } = spreadOf(
              klines.slice(index + 1 - period, index + 1).map(({ close }) => close),
            )
            expect(bands.value).toBeCloseTo(mean, 7)
            expect(bands.upper.value).toBeCloseTo(mean + 2 * deviation, 6)
            expect(bands.lower.value).toBeCloseTo(mean - 2 * deviation, 6)
          }
        }
      }),
    )
  })

  it('forgets a huge value with the kline that leaves the window', () => {
    // A sum of squares kept as it is would be wrong by about 10^18 × 2^-53 = 100.
    const bands = bollinger(10)
    valuesOf(bands, flatKlines([0, 0, 1e9, ...Array.from({ length: 10 }, (_, index) => 1 + (index % 2))]))
    expect(bands.value).toBeCloseTo(1.5, 6)
    expect(bands.upper.value).toBeCloseTo(1.5 + 2 * 0.5, 6)
  })

  it('sees a movement of a cent at a price of a million', () => {
    // The squares of such prices have no digits left for it.
    const bands = bollinger(20)
    valuesOf(bands, flatKlines(Array.from({ length: 1015 }, (_, index) => 1e6 + (index % 2) / 100)))
    expect(bands.upper.value - bands.lower.value).toBeCloseTo(4 * 0.005, 8)
  })
})
