import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KlineExtremes } from '../../../../backtest/metrics/round-trips/kline-extremes.ts'
import { hourlyMarket } from '../market.ts'

describe('KlineExtremes', () => {
  it('finds what looking at every row finds', () => {
    const price = fc.integer({ min: 1, max: 10_000 })
    const prices = fc.array(price, { minLength: 1, maxLength: 1500, size: 'max' })
    const cases = fc.tuple(prices, fc.array(fc.tuple(fc.nat(1500), fc.nat(1500)), { minLength: 10 }))
    fc.assert(
      fc.property(cases, ([closes, spans]) => {
        const { klines } = hourlyMarket(closes.map(close => [close, close + 1, close - 1, close]))
        const extremes = new KlineExtremes(klines)
        for (const [left, right] of spans) {
          const [start, end] = [
            Math.min(left, right, closes.length),
            Math.min(Math.max(left, right), closes.length),
          ]
          const rows = closes.slice(start, end)
          expect(extremes.lowest(start, end)).toBe(Math.min(...rows.map(close => close - 1)))
          expect(extremes.highest(start, end)).toBe(Math.max(...rows.map(close => close + 1)))
        }
      }),
    )
  })
})
