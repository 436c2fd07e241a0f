import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { atr } from '../../src/indicators/atr.ts'
import { ema } from '../../src/indicators/ema.ts'
import { rsi } from '../../src/indicators/rsi.ts'
import { WilderAverage } from '../../src/indicators/wilder-average.ts'
import { anyKlines, flatKlines, previousOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN
const anyPeriod = fc.integer({ min: 1, max: 30 })

/** An exponential average by its sum of weights, from the mean of the first `period` inputs. */
function weighted(inputs: readonly number[], period: number, weight: number): number {
  if (inputs.length < period) return Number.NaN
  const seed = inputs.slice(0, period).reduce((sum, input) => sum + input, 0) / period
  const rest = inputs.slice(period)
  return rest.reduce(
    (sum, input, index) => sum + weight * (1 - weight) ** (rest.length - 1 - index) * input,
    seed * (1 - weight) ** rest.length,
  )
}

describe('ema', () => {
  it('starts with the mean and moves by 2 / (period + 1)', () => {
    // Weight 1/2: (2 + 4 + 6) / 3 = 4, then halfway to 8, 2 and 2.
    expect(valuesOf(ema(3), flatKlines([2, 4, 6, 8, 2, 2]))).toEqual([NOT_YET, NOT_YET, 4, 6, 4, 3])
    expect(previousOf(ema(3), flatKlines([2, 4, 6, 8, 2]))).toEqual([NOT_YET, NOT_YET, NOT_YET, 4, 6])
  })

  it('is the weighted sum of all inputs', () => {
    fc.assert(
      fc.property(anyKlines, anyPeriod, (klines, period) => {
        const highs = klines.map(kline => kline.high)
        const expected = highs.map((_, index) =>
          weighted(highs.slice(0, index + 1), period, 2 / (period + 1)),
        )
        for (const [index, value] of valuesOf(ema(period, 'high'), klines).entries()) {
          if (index + 1 < period) expect(value).toBeNaN()
          else expect(value).toBeCloseTo(expected[index] ?? NOT_YET, 6)
        }
      }),
    )
  })
})

describe('a Wilder average', () => {
  it('starts with the mean and moves by 1 / period', () => {
    const average = new WilderAverage(4)
    const values = [1, 2, 3, 6, 11, 1].map(input => {
      average.update(input)
      return average.value
    })
    // (1 + 2 + 3 + 6) / 4 = 3; 3 + (11 - 3) / 4 = 5; 5 + (1 - 5) / 4 = 4.
    expect(values).toEqual([NOT_YET, NOT_YET, NOT_YET, 3, 5, 4])
  })
})

describe('rsi', () => {
  it('weighs gains against losses', () => {
    // Changes +2, -1, +1: gains (2 + 0) / 2 = 1, then 1; losses (0 + 1) / 2 = 0.5, then 0.25.
    const values = valuesOf(rsi(2), flatKlines([10, 12, 11, 12]))
    expect(values.slice(0, 2)).toEqual([NOT_YET, NOT_YET])
    expect(values[2]).toBeCloseTo(100 - 100 / (1 + 1 / 0.5), 12)
    expect(values[3]).toBeCloseTo(80, 12)
    expect(previousOf(rsi(2), flatKlines([10, 12, 11, 12]))[3]).toBeCloseTo(66.666_666_666_667, 10)
  })

  it.each([
    ['only rises', [1, 2, 3, 4, 5], 100],
    ['only falls', [5, 4, 3, 2, 1], 0],
    ['never moves', [3, 3, 3, 3, 3], 50],
  ])('of a price that %s is %3$d', (_name, closes, expected) => {
    expect(valuesOf(rsi(3), flatKlines(closes)).slice(3)).toEqual([expected, expected])
  })

  it('never exceeds 100 by a rounding', () => {
    // 100 × 28139.309999999998 ÷ 28139.309999999998 is 100.00000000000001 in doubles.
    expect(valuesOf(rsi(1), flatKlines([8682.76, 36822.07]))[1]).toBe(100)
  })

  it('needs one kline more than its period, for the first change', () => {
    expect(rsi(14).requiredKlines).toBe(15)
  })

  it('is 100 - 100 / (1 + average gain / average loss), and stays between 0 and 100', () => {
    fc.assert(
      fc.property(anyKlines, anyPeriod, (klines, period) => {
        const changes = klines.slice(1).map((kline, index) => kline.close - (klines[index]?.close ?? NOT_YET))
        const gain = weighted(
          changes.map(change => Math.max(change, 0)),
          period,
          1 / period,
        )
        const loss = weighted(
          changes.map(change => Math.max(-change, 0)),
          period,
          1 / period,
        )
        const value = valuesOf(rsi(period), klines).at(-1) ?? NOT_YET
        if (changes.length < period) expect(value).toBeNaN()
        else if (gain + loss > 1e-3) expect(value).toBeCloseTo(100 - 100 / (1 + gain / loss), 5)
        expect(value < 0 || value > 100).toBe(false)
      }),
    )
  })
})

const range = (high: number, low: number, close: number): Kline => ({
  openTime: 0,
  open: close,
  high,
  low,
  close,
  volume: 0,
})

describe('atr', () => {
  it('counts the gap from the last close, and not the first kline', () => {
    const klines = [
      range(100, 1, 10),
      range(13, 11, 12), // gap up: 13 - 10 = 3
      range(13, 12, 12), // inside: 1
      range(9, 8, 8), // gap down: 12 - 8 = 4; 2 + (4 - 2) / 2 = 3
    ]
    expect(valuesOf(atr(2), klines)).toEqual([NOT_YET, NOT_YET, 2, 3])
    expect(previousOf(atr(2), klines)).toEqual([NOT_YET, NOT_YET, NOT_YET, 2])
    expect(atr(2).requiredKlines).toBe(3)
  })

  it("is Wilder's average of the largest of the three ranges", () => {
    fc.assert(
      fc.property(anyKlines, anyPeriod, (klines, period) => {
        const ranges = klines.slice(1).map(({ high, low }, index) => {
          const last = klines[index]?.close ?? NOT_YET
          return Math.max(high - low, Math.abs(high - last), Math.abs(low - last))
        })
        const value = valuesOf(atr(period), klines).at(-1) ?? NOT_YET
        if (ranges.length < period) expect(value).toBeNaN()
        else expect(value).toBeCloseTo(weighted(ranges, period, 1 / period), 5)
      }),
    )
  })
})
