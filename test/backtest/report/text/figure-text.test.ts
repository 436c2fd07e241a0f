import { describe, expect, it } from 'vitest'
import { fixed, moneyFigure, valueText } from '../../../../backtest/report/text/figure-text.ts'
import { moneyText } from '../../../../src/bot/text/figures.ts'

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
  const money = { asset: 'USDT' }

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

describe('moneyFigure', () => {
  const amounts: readonly (readonly [string, string, string])[] = [
    ['10000', 'USDT', '10,000.00'],
    ['999.996', 'USDT', '1,000.00'],
    ['1', 'USDT', '1.00'],
    ['-0.456', 'USDT', '-0.46'],
    ['0.1', 'USDT', '0.10'],
    ['0.0964', 'USDT', '0.096'],
    ['0.0996', 'USDT', '0.10'],
    ['-0.00346', 'USDT', '-0.0035'],
    ['0.0000012', 'USDT', '0.0000012'],
    ['0', 'USDT', '0.00'],
    ['0.5', 'BTC', '0.50000000'],
    ['0.000000012', 'BTC', '0.000000012'],
    ['12.5', 'EUR', '12.50'],
  ]

  it.each(amounts)(
    'writes %s %s as %s: two decimals, eight of a coin, more where they would hide it',
    (amount, asset, text) => {
      expect(moneyFigure(Number(amount), asset)).toBe(text)
    },
  )

  it.each(amounts)('writes %s %s as the status and the log do', (amount, asset, text) => {
    expect(moneyText(amount, asset)).toBe(`${text} ${asset}`)
  })
})
