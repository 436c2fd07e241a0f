import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { adx } from '../../src/indicators/adx.ts'
import { anyKlines, flatKlines, linesOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN
const kline = (high: number, low: number, close: number): Kline => ({
  openTime: 0,
  ...{ open: close, high, low, close, volume: 0 },
})

/** Wilder's average of a whole list, by its definition. */
function wilder(inputs: readonly number[], period: number): number[] {
  let value = NOT_YET
  return inputs.map((input, index) => {
    if (index + 1 === period) value = inputs.slice(0, period).reduce((sum, one) => sum + one, 0) / period
    else if (index + 1 > period) value = (value * (period - 1) + input) / period
    return value
  })
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100)

describe('adx', () => {
  it('weighs what went up against what went down', () => {
    const klines = [
      kline(10, 6, 8),
      kline(12, 7, 11), // up 2, down -1: +2; range 12 - 7 = 5
      kline(13, 6, 7), // up 1, down 1: neither; range 13 - 6 = 7
      kline(12, 4, 5), // up -1, down 2: -2; range 12 - 4 = 8
      kline(11, 5, 10), // inside: neither; range 11 - 5 = 6
    ]
    // Ranges of two: 6, (6 + 8) / 2 = 7, 6.5. Up: 1, 0.5, 0.25. Down: 0, 1, 0.5.
    const plus = linesOf(adx(2), klines, line => line.plus).map(([value]) => value)
    const minus = linesOf(adx(2), klines, line => line.minus).map(([value]) => value)
    expect(plus.slice(0, 2)).toEqual([NOT_YET, NOT_YET])
    expect(plus[2]).toBeCloseTo(100 / 6, 12)
    expect(plus[3]).toBeCloseTo(50 / 7, 12)
    expect(plus[4]).toBeCloseTo(25 / 6.5, 12)
    expect(minus[2]).toBe(0)
    expect(minus[3]).toBeCloseTo(100 / 7, 12)
    expect(minus[4]).toBeCloseTo(50 / 6.5, 12)
    // DX: 100 × 1/1, 100 × 0.5/1.5 = 33.3…, 100 × 0.25/0.75 = 33.3…: mean 66.7, then (66.7 + 33.3) / 2 = 50.
    const values = valuesOf(adx(2), klines)
    expect(values.slice(0, 3)).toEqual([NOT_YET, NOT_YET, NOT_YET])
    expect(values[3]).toBeCloseTo(200 / 3, 12)
    expect(values[4]).toBeCloseTo(50, 12)
  })

  it('needs twice its period: that of its indicators, and that of their average', () => {
    expect(adx(14).requiredKlines).toBe(28)
    expect(adx().requiredKlines).toBe(28)
  })

  it.each([
    ['only rises', [1, 2, 3, 4, 5, 6, 7], 100],
    ['only falls', [7, 6, 5, 4, 3, 2, 1], 100],
    ['never moves', [3, 3, 3, 3, 3, 3, 3], 0],
  ])('of a price that %s is %3$d', (_name, closes, expected) => {
    expect(valuesOf(adx(3), flatKlines(closes)).slice(5)).toEqual([expected, expected])
  })

  it('follows from the movements of all klines', () => {
    fc.assert(
      fc.property(anyKlines, fc.integer({ min: 1, max: 12 }), (klines, period) => {
        const pairs = klines.slice(1).map((now, index) => ({ now, last: klines[index] ?? now }))
        const ranges = pairs.map(({ now, last }) =>
          Math.max(now.high - now.low, Math.abs(now.high - last.close), Math.abs(now.low - last.close)),
        )
        const ups = pairs.map(({ now, last }) => Math.max(0, now.high - last.high))
        const downs = pairs.map(({ now, last }) => Math.max(0, last.low - now.low))
        const range = wilder(ranges, period)
        const up = wilder(
          ups.map((value, index) => (value > (downs[index] ?? 0) ? value : 0)),
          period,
        )
        const down = wilder(
          downs.map((value, index) => (value > (ups[index] ?? 0) ? value : 0)),
          period,
        )
        const dx = range.slice(period - 1).map((whole, index) => {
          const plus = percent(up[period - 1 + index] ?? 0, whole)
          const minus = percent(down[period - 1 + index] ?? 0, whole)
          return percent(Math.abs(plus - minus), plus + minus)
        })
        const expected = wilder(dx, period)
        const values = valuesOf(adx(period), klines)
        for (const [index, value] of expected.entries()) {
          const shown = values[index + period] ?? NOT_YET
          // Where next to nothing moved for long, rounding decides which part of it went up.
          if (Number.isNaN(value)) expect(shown).toBeNaN()
          else expect(shown).toBeCloseTo(value, 6)
        }
      }),
    )
  })
})
