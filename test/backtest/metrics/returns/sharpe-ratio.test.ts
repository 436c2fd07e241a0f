import { describe, expect, it } from 'vitest'
import { dailyReturnsOf } from '../../../../backtest/metrics/returns/daily-returns.ts'
import { sharpeMetrics } from '../../../../backtest/metrics/returns/sharpe-ratio.ts'
import { momentsOf } from '../../../../src/research/statistics/sample/moments.ts'
import { seriesWith } from '../curve.ts'

function sharpe(returns: readonly number[], riskFreeRate = 0) {
  const daily = dailyReturnsOf(seriesWith(returns), '1m')
  return sharpeMetrics(daily, momentsOf(daily.values), riskFreeRate)
}

const value = (figure: object) => ('value' in figure ? Number(figure.value) : Number.NaN)
const alternating = (length: number) => Array.from({ length }, (_, day) => (day % 2 === 0 ? 0.01 : 0))

describe('sharpeMetrics', () => {
  it('is mean over sample deviation, by the root of 365', () => {
    // Mean 0.005; each of 30 deviations is 0.005, so s² = 30 · 0.005² / 29 and S = √(29/30) · √365 = √352.8333…
    expect(value(sharpe(alternating(30)).sharpe)).toBeCloseTo(18.783858, 6)
  })

  it('is negative for a mean loss', () => {
    expect(value(sharpe(alternating(30).map(daily => -daily)).sharpe)).toBeCloseTo(-18.783858, 6)
  })

  it('is nothing where the mean is the risk-free rate', () => {
    expect(value(sharpe(alternating(30), 0.005 * 365).sharpe)).toBeCloseTo(0, 10)
  })

  it.each<[string, readonly number[], string]>([
    ['fewer than 30 returns', alternating(29), 'needs at least 30 daily returns, has 29'],
    ['returns that do not vary', Array(40).fill(0.001), 'the daily returns do not vary'],
    ['no return at all', Array(40).fill(0), 'the daily returns do not vary'],
    ['an account that came to nothing', [...alternating(40), -1, 0], 'equity fell to zero'],
  ])('says why there is none of %s', (_, returns, notAvailable) => {
    expect(sharpe(returns)).toEqual({
      sharpe: { notAvailable },
      sharpeLow: { notAvailable },
      sharpeHigh: { notAvailable },
      probabilisticSharpe: { notAvailable },
    })
  })

  it('says of klines longer than a day that they have no daily values', () => {
    const weekly = dailyReturnsOf(seriesWith(alternating(40)), '1w')
    expect(sharpeMetrics(weekly, momentsOf(weekly.values), 0).sharpe).toEqual({
      notAvailable: 'needs klines of at most one day, has 1w',
    })
  })
})
