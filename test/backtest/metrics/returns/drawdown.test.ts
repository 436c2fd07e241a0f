import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepestFallOf, drawdownsOf } from '../../../../backtest/metrics/returns/drawdown.ts'
import { drawdownMetrics } from '../../../../backtest/metrics/returns/drawdown-metrics.ts'
import { curveOf, DAY, dailyCurve } from '../curve.ts'
import { EQUITY } from '../reference-run.ts'

const START = Date.UTC(2018, 0, 1)

describe('drawdownsOf', () => {
  const points: [number, number][] = [
    [1, 110],
    [2, 99],
    [3, 105],
    [4, 110],
    [5, 120],
    [6, 60],
    [7, 90],
  ]

  it('finds the deepest fall and the longest wait, which may be two', () => {
    expect(drawdownsOf(curveOf(100, points))).toMatchObject({ fraction: 0.5, longestMs: 3 * DAY })
  })

  it('lists falls with their times, the deepest first', () => {
    expect(drawdownsOf(curveOf(100, points)).deepest).toEqual([
      { fraction: 0.5, peakTime: 5 * DAY, troughTime: 6 * DAY, recoveryTime: null },
      { fraction: 0.1, peakTime: DAY, troughTime: 2 * DAY, recoveryTime: 4 * DAY },
    ])
  })

  it('counts the time below a peak, to the close before it is reached again', () => {
    // Below at the closes of days 2, 3, 6 and 7, of 7 days.
    expect(drawdownsOf(curveOf(100, points)).underWater).toBeCloseTo(4 / 7, 12)
  })

  it('counts a wait that has not ended, from the start if there was no better', () => {
    const fallen = curveOf(100, [
      [1, 90],
      [2, 95],
    ])
    expect(drawdownsOf(fallen)).toMatchObject({ fraction: 0.1, longestMs: 2 * DAY, underWater: 1 })
  })

  it('has its bottom where equity was lowest first', () => {
    const flat = curveOf(100, [
      [1, 90],
      [2, 80],
      [3, 80],
    ])
    expect(drawdownsOf(flat).deepest[0]?.troughTime).toBe(2 * DAY)
  })

  it('is nothing while equity only rises or rests', () => {
    const risen = curveOf(100, [
      [1, 100],
      [5, 100],
      [6, 101],
    ])
    expect(drawdownsOf(risen)).toEqual({ fraction: 0, longestMs: 0, underWater: 0, deepest: [] })
  })

  it('is nothing without klines', () => {
    expect(drawdownsOf(curveOf(100, []))).toEqual({ fraction: 0, longestMs: 0, underWater: 0, deepest: [] })
  })

  it('keeps the five deepest, the earlier of equals first', () => {
    const depths = [0.02, 0.05, 0.01, 0.04, 0.03, 0.05, 0.06]
    const saw = depths.flatMap((depth, index): [number, number][] => [
      [2 * index + 1, 100 * (1 - depth)],
      [2 * index + 2, 100],
    ])
    const { deepest } = drawdownsOf(curveOf(100, saw))
    expect(deepest.map(({ fraction }) => Number(fraction.toFixed(10)))).toEqual([
      0.06, 0.05, 0.05, 0.04, 0.03,
    ])
    expect(deepest.map(({ troughTime }) => troughTime / DAY)).toEqual([13, 3, 11, 7, 9])
  })

  it('agrees with quantstats.stats.drawdown_details on the reference run', () => {
    const { fraction, deepest } = drawdownsOf(dailyCurve(10_000, EQUITY, START))
    expect(fraction).toBeCloseTo(0.15701139542469414, 12) // empyrical.max_drawdown
    // It names the first day below the peak; the peak is the close before, that is the midnight in which that day starts.
    const day = (time: number | null) =>
      time === null ? null : new Date(time - 1).toISOString().slice(0, 10)
    expect(deepest.map(({ peakTime, troughTime }) => [day(peakTime + DAY), day(troughTime)])).toEqual([
      ['2018-03-25', '2018-04-05'],
      ['2018-02-23', '2018-03-08'],
      ['2018-01-17', '2018-01-20'],
      ['2018-01-28', '2018-01-31'],
      ['2018-01-06', '2018-01-07'],
    ])
    const depths = [15.70114, 8.154248, 4.369494, 2.501475, 2.468882]
    for (const [index, depth] of depths.entries())
      expect((deepest[index]?.fraction ?? 0) * 100).toBeCloseTo(depth, 5)
  })

  it('finds what comparing every pair finds', () => {
    const equities = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 })
    fc.assert(
      fc.property(equities, equity => {
        const all = [20, ...equity]
        const falls = all.flatMap((peak, at) => all.slice(at).map(later => (peak - later) / peak))
        const curve = dailyCurve(20, equity)
        expect(drawdownsOf(curve).fraction).toBeCloseTo(Math.max(...falls), 12)
        expect(deepestFallOf(curve)).toBeCloseTo(Math.max(...falls), 12)
      }),
    )
  })
})

describe('drawdownMetrics', () => {
  it('times the fall and the recovery of the deepest', () => {
    const fallen = curveOf(100, [
      [1, 110],
      [4, 55],
      [9, 120],
      [10, 118],
    ])
    expect(drawdownMetrics(drawdownsOf(fallen))).toMatchObject({
      maxDrawdown: { value: 0.5 },
      fallMs: { value: 3 * DAY },
      recoveryMs: { value: 5 * DAY },
      longestDrawdownMs: { value: 8 * DAY },
    })
  })

  it('has no recovery before there is one', () => {
    expect(drawdownMetrics(drawdownsOf(curveOf(100, [[1, 90]]))).recoveryMs).toEqual({
      notAvailable: 'equity did not come back to the peak before the end of the data',
    })
  })

  it('has no fall where equity never fell', () => {
    expect(drawdownMetrics(drawdownsOf(curveOf(100, [[1, 101]])))).toMatchObject({
      maxDrawdown: { value: 0 },
      fallMs: { notAvailable: 'equity never fell' },
      recoveryMs: { notAvailable: 'equity never fell' },
    })
  })
})
