import { describe, expect, it } from 'vitest'
import { dailySeriesOf, returnsOf } from '../../../../backtest/metrics/returns/daily-series.ts'
import type { EquityCurve } from '../../../../backtest/metrics/returns/equity-curve.ts'
import { curveOf, DAY, dailyCurve, HOUR } from '../curve.ts'

const dailyReturns = (curve: EquityCurve) => [...returnsOf(dailySeriesOf(curve))]

describe('dailySeriesOf', () => {
  it('counts a close at midnight to the day that ends', () => {
    const curve = curveOf(100, [
      [0.5, 300],
      [1, 110],
      [1.5, 1],
      [2, 99],
    ])
    expect(dailyReturns(curve)).toEqual([110 / 100 - 1, 99 / 110 - 1])
  })

  it('starts and ends within a day', () => {
    const returns = dailyReturns({
      startTime: 20 * HOUR,
      startEquity: 100,
      time: [22 * HOUR, 24 * HOUR, 25 * HOUR],
      equity: [90, 120, 60],
    })
    expect(returns).toEqual([120 / 100 - 1, 60 / 120 - 1])
  })

  it('returns 0 on days without klines', () => {
    const curve = curveOf(100, [
      [1, 110],
      [4, 121],
    ])
    expect(dailyReturns(curve)).toEqual([110 / 100 - 1, 0, 0, 121 / 110 - 1])
  })

  it('returns all that was there on the day of a ruin, and 0 on those after it', () => {
    expect(dailyReturns(dailyCurve(100, [50, 0, 0]))).toEqual([-0.5, -1, 0])
  })

  it('has no day without klines', () => {
    expect(dailyReturns(curveOf(100, []))).toEqual([])
  })

  it('has one day for every UTC day of minutes, whatever the hour of the start', () => {
    const minutes = 3 * 1440 + 17
    const startTime = 40 * DAY + 23 * HOUR
    const time = Float64Array.from({ length: minutes }, (_, row) => startTime + (row + 1) * 60_000)
    const series = dailySeriesOf({ startTime, startEquity: 1, time, equity: time })
    // One hour of day 40, days 41 and 42, and 23 hours and 17 minutes of day 43.
    expect([series.firstDay, ...series.values]).toEqual([
      40,
      41 * DAY,
      42 * DAY,
      43 * DAY,
      43 * DAY + 23 * HOUR + 17 * 60_000,
    ])
  })
})
