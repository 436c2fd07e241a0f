import { describe, expect, it } from 'vitest'
import {
  durationText,
  momentText,
  moneyText,
  notionalText,
  numberText,
  percentText,
  signedMoneyText,
  signedPercentText,
} from '../../../src/bot/text/figures.ts'

describe('figures for people', () => {
  it.each([
    ['4985.904', 'USDT', '4,985.90 USDT'],
    ['-3.105', 'USDT', '-3.11 USDT'],
    ['0', 'USDT', '0.00 USDT'],
    ['0.0042', 'USDT', '0.0042 USDT'],
    ['-0.000123', 'USDT', '-0.00012 USDT'],
    ['0.07', 'USDT', '0.07 USDT'],
    ['0.09989', 'USDT', '0.10 USDT'],
    ['0.0199', 'USDT', '0.02 USDT'],
    ['1.23456789012', 'BTC', '1.23456789 BTC'],
  ])('%s %s as money is %s', (amount, asset, expected) => {
    expect(moneyText(amount, asset)).toBe(expected)
  })

  it('tells the sign of a result', () => {
    expect(signedMoneyText('5.02436', 'USDT')).toBe('+5.02 USDT')
    expect(signedMoneyText('-5.02436', 'USDT')).toBe('-5.02 USDT')
    expect(signedMoneyText('0', 'USDT')).toBe('0.00 USDT')
    expect(signedPercentText('0.0010077')).toBe('+0.10%')
    expect(signedPercentText('-0.25')).toBe('-25.00%')
    expect(signedPercentText('-0.00001')).toBe('0.00%')
    expect(signedPercentText('12.5')).toBe('+1,250.00%')
  })

  it('tells a large notional without decimals', () => {
    expect(notionalText('4985.904', 'USDT')).toBe('4,986 USDT')
    expect(notionalText('985.904', 'USDT')).toBe('985.90 USDT')
    expect(notionalText('1500.5', 'BTC')).toBe('1,500.50000000 BTC')
  })

  it('writes numbers, percentages, times and lengths of time as a person does', () => {
    expect([numberText(58000.5), numberText(1e-7), numberText(12345678)]).toEqual([
      '58,000.5',
      '0.0000001',
      '12,345,678',
    ])
    expect([percentText(0.015), percentText(0.1), percentText(1 / 3)]).toEqual(['1.5%', '10%', '33.333333%'])
    expect(momentText('2026-01-01T00:30:00.123Z')).toBe('2026-01-01 00:30:00Z')
    expect([300, 45_000, 1_800_000, 7_200_000, 7_500_000].map(durationText)).toEqual([
      '300 ms',
      '45 s',
      '30 min',
      '2 h',
      '2 h 5 min',
    ])
  })
})
