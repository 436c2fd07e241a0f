import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KlineSource } from '../../src/indicators/indicator.ts'
import { sma } from '../../src/indicators/sma.ts'
import { anyKlines, flatKlines, previousOf, valuesOf } from './kline-series.ts'

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('sma', () => {
  it('is the mean of the last three closes', () => {
    expect(valuesOf(sma(3), flatKlines([1, 2, 6, 4, 5]))).toEqual([Number.NaN, Number.NaN, 3, 4, 5])
  })

  it('keeps the value of one kline earlier', () => {
    const previous = previousOf(sma(3), flatKlines([1, 2, 6, 4, 5]))
    expect(previous).toEqual([Number.NaN, Number.NaN, Number.NaN, 3, 4])
  })

  it('of one kline is that kline', () => {
    expect(valuesOf(sma(1), flatKlines([3, 0.1, 7]))).toEqual([3, 0.1, 7])
  })

  it('needs as many klines as it averages', () => {
    expect(sma(50).requiredKlines).toBe(50)
  })

  it('is the mean of its window, whatever it reads', () => {
    const sources = fc.constantFrom<KlineSource[]>('open', 'high', 'low', 'close', 'volume')
    fc.assert(
      fc.property(anyKlines, fc.integer({ min: 1, max: 40 }), sources, (klines, period, source) => {
        const values = valuesOf(sma(period, source), klines)
        for (const [index, value] of values.entries()) {
          const window = klines.slice(0, index + 1).slice(-period)
          if (window.length < period) expect(value).toBeNaN()
          else expect(value).toBeCloseTo(meanOf(window.map(kline => kline[source])), 7)
        }
      }),
    )
  })

  it('drifts over two million klines by no more than a fresh sum rounds', () => {
    const period = 50
    const average = sma(period)
    const window: number[] = []
    let seed = 1
    let worst = 0
    for (let index = 0; index < 2_000_000; index++) {
      seed = (seed * 48_271) % 2_147_483_647
      // From a thousandth to 10^9: adding and removing such values loses digits of the running sum.
      const close = 10 ** ((seed / 2_147_483_647) * 12 - 3)
      window[index % period] = close
      average.update({ openTime: index, open: close, high: close, low: close, close, volume: 0 })
      if (index < period || index % 997 !== 0) continue
      worst = Math.max(worst, Math.abs(average.value - meanOf(window)) / Math.max(...window))
    }
    // 100 additions of at most 50 × max, each rounded by 2^-53 of its sum, over 50.
    expect(worst).toBeLessThan(100 * 2 ** -53)
  })

  it('forgets a huge value within two windows', () => {
    const average = sma(4)
    valuesOf(average, flatKlines([1e18, ...Array.from({ length: 8 }, () => 0.1)]))
    expect(average.value).toBeCloseTo(0.1, 15)
  })
})
