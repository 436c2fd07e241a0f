import { describe, expect, it } from 'vitest'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { priceDecimals } from '../../src/klines/price-decimals.ts'

function decimalsOf(open: number, high = open, low = open, close = open): number {
  const kline = { openTime: 0, open, high, low, close, volume: 1 }
  return priceDecimals(columnsFrom([{ ...kline, open: 1, high: 1, low: 1, close: 1 }, kline]), 8)
}

describe('the decimals of prices', () => {
  it.each([
    [60_000, 0],
    [59_123.45, 2],
    [0.1 + 0.2, 1],
    [4.289, 3],
    [0.45889, 5],
    [0.00001234, 8],
    [1e-9, 8],
    [98_765.4321, 4],
    [1 / 3, 8],
  ])('of %d are %d', (price, decimals) => {
    expect(decimalsOf(price)).toBe(decimals)
  })

  it.each(['high', 'low', 'close'])('count in the %s too', column => {
    const prices = { high: 1, low: 1, close: 1, [column]: 1.25 }
    expect(decimalsOf(1, prices.high, prices.low, prices.close)).toBe(2)
  })
})
