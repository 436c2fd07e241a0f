import { describe, expect, it } from 'vitest'
import { fixed, moneyFormatFor, valueText } from '../../../../backtest/report/text/figure-text.ts'

describe('fixed', () => {
  it.each([
    [1234567.891, 2, '1,234,567.89'],
    [-1234.5, 1, '-1,234.5'],
    [999, 0, '999'],
    [1000, 0, '1,000'],
    [-0.001, 2, '0.00'],
    [0, 0, '0'],
    [1e21, 2, '1e+21'],
    [123456.789, 3, '123,456.789'],
  ])('writes %d with %d decimals as %s', (value, decimals, text) => {
    expect(fixed(value, decimals)).toBe(text)
  })
})

describe('valueText', () => {
  const money = { asset: 'USDT', decimals: 2 }

  it.each([
    [0.12345, 'percent', '12.35%'],
    [0.0012346, 'rate', '0.1235%'],
    [1.005, 'ratio', '1.00'],
    [12345, 'count', '12,345'],
    [-12.345, 'money', '-12.35 USDT'],
    [51 * 3_600_000, 'duration', '2d 3h'],
    [184 * 60_000, 'duration', '3h 4m'],
    [299_999, 'duration', '4m'],
  ] as const)('writes %d as %s: %s', (value, unit, text) => {
    expect(valueText(value, unit, money)).toBe(text)
  })
})

describe('moneyFormatFor', () => {
  it.each([
    [10_000, 2],
    [1_000_000, 2],
    [100, 4],
    [1, 6],
    [0.05, 8],
    [0, 6],
  ])('shows an account of %d with %d decimals', (startEquity, decimals) => {
    expect(moneyFormatFor('X', startEquity)).toEqual({ asset: 'X', decimals })
  })
})
