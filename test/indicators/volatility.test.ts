import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { volatility } from '../../src/indicators/volatility.ts'
import { anyKlines, flatKlines, previousOf, valuesOf } from './kline-series.ts'

const NOT_YET = Number.NaN

describe('volatility', () => {
  it('is the standard deviation of the returns from close to close', () => {
    // Logarithms of returns 1, 3, 2: mean 2, squares 1 + 1 + 0, over 2. Then 3, 2, 7: mean 4, squares 1 + 4 + 9, over 2.
    const closes = [0, 1, 4, 6, 13].map(log => 1000 * Math.exp(log))
    const values = valuesOf(volatility(3), flatKlines(closes))
    expect(values.slice(0, 3)).toEqual([NOT_YET, NOT_YET, NOT_YET])
    expect(values[3]).toBeCloseTo(1, 12)
    expect(values[4]).toBeCloseTo(Math.sqrt(7), 12)
    expect(previousOf(volatility(3), flatKlines(closes))[4]).toBeCloseTo(1, 12)
  })

  it('needs one kline more than returns', () => {
    expect(volatility(20).requiredKlines).toBe(21)
  })

  it('of a price that stands still, or grows at one rate, is zero', () => {
    expect(valuesOf(volatility(3), flatKlines([7, 7, 7, 7, 7])).at(-1)).toBe(0)
    expect(valuesOf(volatility(3), flatKlines([1, 2, 4, 8, 16])).at(-1)).toBe(0)
  })

  it('is that of its window at every kline', () => {
    fc.assert(
      fc.property(anyKlines, fc.integer({ min: 2, max: 20 }), (klines, period) => {
        const logs = klines.map(({ close }) => Math.log(close))
        const returns = logs.slice(1).map((log, index) => log - (logs[index] ?? NOT_YET))
        for (const [index, value] of valuesOf(volatility(period), klines).entries()) {
          const window = returns.slice(Math.max(0, index - period), index)
          if (window.length < period) expect(value).toBeNaN()
          else {
            const mean = window.reduce((sum, one) => sum + one, 0) / period
            const squares = window.reduce((sum, one) => sum + (one - mean) ** 2, 0)
            expect(value).toBeCloseTo(Math.sqrt(squares / (period - 1)), 7)
          }
        }
      }),
    )
  })
})
