import { describe, expect, it } from 'vitest'
import { drawdownOf } from '../../backtest/drawdown.ts'
import { dailyReturns, type EquityCurve } from '../../backtest/equity-curve.ts'
import { exposureOf } from '../../backtest/exposure.ts'
import { metricsOf } from '../../backtest/metrics.ts'
import { sharpeRatio } from '../../backtest/sharpe-ratio.ts'
import { roundTrip } from './round-trip.ts'

const DAY = 86_400_000
const HOUR = DAY / 24

/** Worth at the given days since the start. */
function curve(startEquity: number, points: [day: number, equity: number][], startTime = 0): EquityCurve {
  return {
    startTime,
    startEquity,
    time: points.map(([day]) => startTime + day * DAY),
    equity: points.map(([, equity]) => equity),
  }
}

describe('dailyReturns', () => {
  it('counts a close at midnight to the day that ends', () => {
    const returns = dailyReturns(
      curve(100, [
        [0.5, 300],
        [1, 110],
        [1.5, 1],
        [2, 99],
      ]),
    )
    expect(returns).toEqual([110 / 100 - 1, 99 / 110 - 1])
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
    expect(
      dailyReturns(
        curve(100, [
          [1, 110],
          [4, 121],
        ]),
      ),
    ).toEqual([110 / 100 - 1, 0, 0, 121 / 110 - 1])
  })

  it('has none without klines', () => {
    expect(dailyReturns(curve(100, []))).toEqual([])
  })
})

describe('sharpeRatio', () => {
  const alternating = (length: number) => Array.from({ length }, (_, day) => (day % 2 === 0 ? 0.01 : 0))

  it('is mean over sample deviation, by the root of 365', () => {
    // Mean 0.005; each of 30 deviations is 0.005, so s² = 30 · 0.005² / 29 and S = √(29/30) · √365 = √352.8333…
    expect(sharpeRatio(alternating(30))).toBeCloseTo(18.783858, 6)
  })

  it('is negative for a mean loss', () => {
    expect(sharpeRatio(alternating(30).map(value => -value))).toBeCloseTo(-18.783858, 6)
  })

  it.each([
    ['fewer than 30 returns', alternating(29)],
    ['returns that do not vary', Array(40).fill(0.001)],
    ['no return at all', Array(40).fill(0)],
    ['an account that came to nothing', [...alternating(40), -1, Number.NaN]],
  ])('says nothing of %s', (_, returns) => {
    expect(sharpeRatio(returns)).toBeNull()
  })
})

describe('drawdownOf', () => {
  it('finds the deepest fall and the longest wait, which may be two', () => {
    const points: [number, number][] = [
      [1, 110],
      [2, 99],
      [3, 105],
      [4, 110],
      [5, 120],
      [6, 60],
      [7, 90],
    ]
    expect(drawdownOf(curve(100, points))).toEqual({ fraction: 0.5, longestMs: 3 * DAY })
  })

  it('counts a wait that has not ended, from the start if there was no better', () => {
    expect(
      drawdownOf(
        curve(100, [
          [1, 90],
          [2, 95],
        ]),
      ),
    ).toEqual({ fraction: 0.1, longestMs: 2 * DAY })
  })

  it('is nothing while equity only rises or rests', () => {
    expect(
      drawdownOf(
        curve(100, [
          [1, 100],
          [5, 100],
          [6, 101],
        ]),
      ),
    ).toEqual({ fraction: 0, longestMs: 0 })
  })
})

describe('exposureOf', () => {
  it('counts time under several positions once, and only within the run', () => {
    const holdings = [
      { entryTime: 60, exitTime: 80 },
      { entryTime: 10, exitTime: 30 },
      { entryTime: 20, exitTime: 40 },
      { entryTime: 22, exitTime: 25 },
      { entryTime: -10, exitTime: 5 },
      { entryTime: 95, exitTime: 120 },
    ]
    expect(exposureOf(holdings, 0, 100)).toBeCloseTo(0.6, 12)
  })

  it('is 0 without positions and without time', () => {
    expect(exposureOf([], 0, 100)).toBe(0)
    expect(exposureOf([{ entryTime: 0, exitTime: 0 }], 0, 0)).toBe(0)
  })
})

describe('metricsOf', () => {
  it('says what a run came to', () => {
    const trips = [
      roundTrip('30.5', [0, 10 * DAY], '1.25'),
      roundTrip('-10', [20 * DAY, 40 * DAY], '0.75'),
      roundTrip('0', [40 * DAY, 43 * DAY]),
      roundTrip('-5.25', [50 * DAY, 73 * DAY], '0.5'),
    ]
    const metrics = metricsOf({
      curve: curve(100, [
        [365, 150],
        [730, 121],
      ]),
      roundTrips: trips,
    })
    expect(metrics).toMatchObject({
      startEquity: 100,
      endEquity: 121,
      longestDrawdownMs: 365 * DAY,
      roundTrips: 4,
      winRate: 0.25,
      profitFactor: 2,
      expectancy: 3.8125,
      bestPnl: 30.5,
      worstPnl: -10,
      averageDurationMs: 14 * DAY,
      fees: 2.5,
    })
    expect(metrics.totalReturn).toBeCloseTo(0.21, 12)
    expect(metrics.cagr).toBeCloseTo(0.1, 12)
    expect(metrics.maxDrawdown).toBeCloseTo(29 / 150, 12)
    expect(metrics.exposure).toBeCloseTo(56 / 730, 12)
    // 728 of 730 daily returns are 0; the others are r₁ = 0.5 and r₂ = 121/150 - 1. With their sum Σ and their squares Q:
    // S = Σ/730 ÷ √((Q - Σ²/730)/729) · √365 = 0.00042009 ÷ 0.01985005 · 19.10497
    expect(metrics.sharpe).toBeCloseTo(0.40432, 5)
  })

  it('says null where there is nothing to say', () => {
    expect(metricsOf({ curve: curve(100, [[29, 101]]), roundTrips: [] })).toMatchObject({
      cagr: null,
      sharpe: null,
      winRate: null,
      profitFactor: null,
      expectancy: null,
      bestPnl: null,
      worstPnl: null,
      averageDurationMs: null,
      exposure: 0,
      fees: 0,
    })
  })

  it('has no profit factor without a loss', () => {
    const { profitFactor, winRate } = metricsOf({
      curve: curve(100, []),
      roundTrips: [roundTrip('1', [0, 1])],
    })
    expect([profitFactor, winRate]).toEqual([null, 1])
  })

  it('loses all, and not more, in a year of ruin', () => {
    expect(metricsOf({ curve: curve(100, [[365, -50]]), roundTrips: [] })).toMatchObject({
      cagr: -1,
      maxDrawdown: 1.5,
    })
  })

  it('counts a position that is still open into the exposure', () => {
    const run = { curve: curve(100, [[10, 101]]), roundTrips: [roundTrip('1', [0, 2 * DAY])] }
    expect(metricsOf({ ...run, openSince: 7 * DAY }).exposure).toBeCloseTo(0.5, 12)
  })
})
