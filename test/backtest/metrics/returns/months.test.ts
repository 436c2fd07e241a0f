import { describe, expect, it } from 'vitest'
import { dailySeriesOf } from '../../../../backtest/metrics/returns/daily-series.ts'
import { monthsOf } from '../../../../backtest/metrics/returns/months.ts'
import { curveOf, dailyCurve } from '../curve.ts'
import { CLOSES, EQUITY } from '../reference-run.ts'

const START = Date.UTC(2018, 0, 1)

describe('monthsOf', () => {
  it('agrees with empyrical.aggregate_returns(returns, "monthly") on the reference run', () => {
    const months = monthsOf(
      dailySeriesOf(dailyCurve(10_000, EQUITY, START)),
      dailySeriesOf(dailyCurve(13_000, CLOSES, START)),
    )
    expect(months.map(({ year, month, days }) => [year, month, days])).toEqual([
      [2018, 1, 31],
      [2018, 2, 28],
      [2018, 3, 31],
      [2018, 4, 30],
    ])
    const expected = [0.1224040000000004, 0.08939116396591573, 0.013622716904779786, -0.04659615909065229]
    const held = [0.16273846153846128, 0.016949376802773086, 0.012509920763996929, 0.27465128083217083]
    for (const [index, { value, benchmark }] of months.entries()) {
      expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 12)
      expect(benchmark).toBeCloseTo(held[index] ?? Number.NaN, 12)
    }
  })

  it('has incomplete months at the ends, and goes over the end of a year', () => {
    const curve = curveOf(
      100,
      [
        [1, 110],
        [2, 99],
      ],
      Date.UTC(2019, 11, 31),
    )
    expect(monthsOf(dailySeriesOf(curve))).toEqual([
      { year: 2019, month: 12, value: 110 / 100 - 1, benchmark: null, days: 1 },
      { year: 2020, month: 1, value: 99 / 110 - 1, benchmark: null, days: 1 },
    ])
  })

  it('tells a year apart from the next where only the same month has data', () => {
    const curve = curveOf(
      100,
      [
        [1, 110],
        [366, 121],
      ],
      Date.UTC(2021, 5, 1),
    )
    const months = monthsOf(dailySeriesOf(curve))
    expect(months).toHaveLength(13)
    expect(months.at(-1)).toMatchObject({ year: 2022, month: 6, days: 1 })
    expect(months.at(-1)?.value).toBeCloseTo(0.1, 12)
  })

  it('has no return where there was nothing to earn with', () => {
    const curve = curveOf(
      100,
      [
        [1, 0],
        [40, 0],
      ],
      START,
    )
    expect(monthsOf(dailySeriesOf(curve)).map(({ value }) => value)).toEqual([-1, null])
  })
})
