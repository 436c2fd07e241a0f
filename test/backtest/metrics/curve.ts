import type { DailySeries } from '../../../backtest/metrics/returns/daily-series.ts'
import { dailySeriesOf } from '../../../backtest/metrics/returns/daily-series.ts'
import type { EquityCurve } from '../../../backtest/metrics/returns/equity-curve.ts'

export const DAY = 86_400_000
export const HOUR = DAY / 24

/** Worth at the given days since the start. */
export function curveOf(
  startEquity: number,
  points: readonly (readonly [day: number, equity: number])[],
  startTime = 0,
): EquityCurve {
  return {
    startTime,
    startEquity,
    time: points.map(([day]) => startTime + day * DAY),
    equity: points.map(([, equity]) => equity),
  }
}

/** Worth at the end of one day after another. */
export function dailyCurve(startEquity: number, equity: readonly number[], startTime = 0): EquityCurve {
  return curveOf(
    startEquity,
    equity.map((worth, day) => [day + 1, worth]),
    startTime,
  )
}

/** A daily series with these returns, from 1. */
export function seriesWith(returns: readonly number[]): DailySeries {
  let worth = 1
  return dailySeriesOf(
    dailyCurve(
      1,
      returns.map(value => {
        worth *= 1 + value
        return worth
      }),
    ),
  )
}
