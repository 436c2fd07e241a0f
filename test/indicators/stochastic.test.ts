import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { stochastic } from '../../src/indicators/stochastic.ts'
import { anyKlines, flatKlines, linesOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN
const kline = (high: number, low: number, close: number): Kline => ({
  openTime: 0,
  ...{ open: close, high, low, close, volume: 0 },
})
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('stochastic', () => {
  // Ranges of the last two: 4 to 12, 6 to 14, 6 to 16, 8 to 18.
  const klines = [kline(10, 4, 8), kline(12, 6, 10), kline(14, 8, 14), kline(16, 6, 6), kline(18, 8, 13)]

  it('is where the close is in the range, in percent, and averages of that', () => {
    // Lows of two klines 4, 6, 6, 6 and highs 12, 14, 16, 18: 6/8, 8/8, 0/10, 7/12.
    const make = () => stochastic(2, 2, 2)
    const raw = linesOf(make(), klines, line => line.raw).map(([value]) => value)
    expect(raw.slice(0, 4)).toEqual([NOT_YET, 75, 100, 0])
    expect(raw[4]).toBeCloseTo(700 / 12, 12)
    const k = valuesOf(make(), klines)
    expect(k.slice(0, 4)).toEqual([NOT_YET, NOT_YET, 87.5, 50])
    expect(k[4]).toBeCloseTo(350 / 12, 12)
    const d = linesOf(make(), klines, line => line.d)
    expect(d.slice(0, 4).map(([value]) => value)).toEqual([NOT_YET, NOT_YET, NOT_YET, 68.75])
    expect(d[4]?.[0]).toBeCloseTo((50 + 350 / 12) / 2, 12)
    expect(d[4]?.[1]).toBe(68.75)
  })

  it('needs all three of its periods', () => {
    expect(stochastic(14, 3, 3).requiredKlines).toBe(18)
    expect(stochastic().requiredKlines).toBe(18)
    expect(stochastic(5, 1, 1).requiredKlines).toBe(5)
  })

  it.each([
    ['rises', [1, 2, 3, 4, 5, 6], 100],
    ['falls', [6, 5, 4, 3, 2, 1], 0],
    ['stands still', [3, 3, 3, 3, 3, 3], 50],
  ])('of a price that %s is %3$d', (_name, closes, expected) => {
    const indicator = stochastic(3, 2, 2)
    valuesOf(indicator, flatKlines(closes))
    expect([indicator.value, indicator.d.value]).toEqual([expected, expected])
  })

  it('is what the window says, at every kline', () => {
    const anyPeriod = fc.integer({ min: 1, max: 12 })
    fc.assert(
      fc.property(anyKlines, anyPeriod, anyPeriod, (series, period, smooth) => {
        const raw = series.map(({ close }, index) => {
          const window = series.slice(Math.max(0, index + 1 - period), index + 1)
          const top = Math.max(...window.map(({ high }) => high))
          const bottom = Math.min(...window.map(({ low }) => low))
          return top === bottom ? 50 : ((close - bottom) / (top - bottom)) * 100
        })
        for (const [index, value] of valuesOf(stochastic(period, smooth, 1), series).entries()) {
          if (index + 1 < period + smooth - 1) expect(value).toBeNaN()
          else expect(value).toBeCloseTo(meanOf(raw.slice(index + 1 - smooth, index + 1)), 9)
        }
      }),
    )
  })
})
