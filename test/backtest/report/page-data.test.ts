import { describe, expect, it } from 'vitest'
import { heldFractions } from '../../../backtest/report/html/held-fractions.ts'
import { pageDataOf } from '../../../backtest/report/html/page-data-of.ts'
import { pageEquity } from '../../../backtest/report/html/page-equity.ts'
import { pageKlines } from '../../../backtest/report/html/page-klines.ts'
import { spanLength } from '../../../backtest/report/html/span-length.ts'
import { hourlyMarket, type Prices } from '../metrics/market.ts'
import { sampleReport } from './sample-report.ts'
import { waveReport } from './wave-report.ts'

const HOUR = 3_600_000

describe('spanLength', () => {
  it.each([
    [60, 525_600 * 60, 1200, 28_800],
    [60, 600, 1200, 60],
    [3600, 0, 10, 3600],
    [86_400, 10_000 * 86_400, 1200, 14 * 86_400],
    [60, 100_000 * 86_400, 100, 1000 * 86_400],
  ])('of at least %d s divides %d s into at most %d spans of %d s', (shortest, duration, count, length) => {
    expect(spanLength(shortest, duration, count)).toBe(length)
  })
})

describe('pageKlines', () => {
  const rows: readonly Prices[] = [
    [100, 101.5, 99, 100.25],
    [100.25, 104, 98, 103],
    [103, 110, 102, 108],
    [108, 109, 90, 95],
  ]

  const market = hourlyMarket(rows)
  const withVolume = { ...market, klines: { ...market.klines, volume: Float64Array.of(1, 2, 4, 8) } }

  it('writes klines as differences in ticks', () => {
    expect(pageKlines(withVolume)).toEqual({
      seconds: 3600,
      originalSeconds: 3600,
      unit: 3600,
      start: 0,
      steps: [0, 1, 1, 1],
      open: [10_000, 0, 0, 0],
      high: [125, 100, 200, 100],
      low: [100, 225, 100, 500],
      close: [25, 275, 500, -1300],
      volume: [1, 2, 4, 8],
    })
  })

  it('counts the time over absent klines', () => {
    expect(pageKlines(hourlyMarket(rows, [1, 2])).steps).toEqual([0, 3])
  })

  it('joins klines where there are too many', () => {
    expect(pageKlines(withVolume, 3)).toEqual({
      seconds: 7200,
      originalSeconds: 3600,
      unit: 7200,
      start: 0,
      steps: [0, 1],
      open: [10_000, 0],
      high: [100, 700],
      low: [200, 500],
      close: [300, -800],
      volume: [3, 12],
    })
  })

  it('counts months in days', () => {
    const market = hourlyMarket(rows.slice(0, 3))
    const openTime = Float64Array.from([0, 1, 2], month => Date.UTC(2024, month, 1))
    const monthly = { ...market, interval: '1M' as const, klines: { ...market.klines, openTime } }
    expect(pageKlines(monthly)).toMatchObject({ unit: 86_400, steps: [0, 31, 29] })
  })
})

describe('pageEquity', () => {
  it('keeps the deepest drawdown of a span, and what was left at its end', () => {
    const report = waveReport(48)
    const equity = Array.from({ length: 48 }, (_, row) => (row === 5 ? 9000 : 10_000 + row))
    const data = pageEquity({ ...report, equity: { ...report.equity, equity } }, 5)
    expect(data.seconds).toBe(12 * 3600)
    expect(data.time.at(-1)).toBe((report.equity.time[47] ?? 0) / 1000)
    expect(data.worth).toEqual([10_011, 10_023, 10_035, 10_047])
    // A fall from 10,004 to 9000, and none after it.
    expect(data.drawdown).toEqual([-0.10036, 0, 0, 0])
    expect(data.held?.[3]).toBeCloseTo((10_000 * (report.benchmark?.equity[47] ?? 0)) / 100, 4)
  })

  it('tells the share of time with a position by direction', () => {
    // Long from hour 2 to 8, short from 14 to 20, long from 26 to 32, short from 38 to 44.
    const { long, short } = pageEquity(waveReport(48), 5)
    expect(long).toEqual([0.5, 0, 0.5, 0])
    expect(short).toEqual([0, 0.5, 0, 0.5])
  })

  it('says of a position that is open in the unfinished last span that it was held all of it', () => {
    const report = waveReport(48)
    // The run ends 36 s into the hour after its last close, such as a bot that is read while it trades.
    const end = (report.equity.time[47] ?? 0) + 36_000
    const equity = {
      ...report.equity,
      time: [...Array.from(report.equity.time), end],
      equity: [...Array.from(report.equity.equity), 10_000],
    }
    const entry = { time: end - 2 * HOUR, price: 100, quantity: 1 }
    const open = { book: 'BTC/USDT', direction: 'long', quantity: 1, lots: [entry] }
    const openPositions = [open] as unknown as typeof report.openPositions // all that is looked at
    expect(pageEquity({ ...report, equity, openPositions }, 100).long.at(-1)).toBe(1)
  })

  it('leaves out spans without klines', () => {
    const report = waveReport(48)
    const time = report.equity.time as Float64Array // of the wave
    const later = time.map((at, row) => (row < 24 ? at : at + 240 * HOUR))
    const data = pageEquity({ ...report, equity: { ...report.equity, time: later } }, 50)
    expect(data.time.length).toBeLessThanOrEqual(8)
    expect((data.time.at(-1) ?? 0) - (data.time[0] ?? 0)).toBeGreaterThan(240 * 3600)
  })
})

describe('heldFractions', () => {
  it('counts time under several positions once', () => {
    const holdings = [
      { entryTime: 15, exitTime: 25 },
      { entryTime: -5, exitTime: 5 },
      { entryTime: 20, exitTime: 38 },
      { entryTime: 38, exitTime: 99 },
    ]
    const spans = { start: 0, lengthMs: 10, count: 4, runStart: 0, runEnd: 40 }
    expect([...heldFractions(holdings, spans)]).toEqual([0.5, 0.5, 1, 1])
  })

  it('divides by the time of the run in a span that it begins or ends in', () => {
    // Run from 5 to 31: the first span has 5 of it, the last has 1; held from 8 on.
    const spans = { start: 0, lengthMs: 10, count: 4, runStart: 5, runEnd: 31 }
    expect([...heldFractions([{ entryTime: 8, exitTime: 31 }], spans)]).toEqual([0.4, 1, 1, 1])
    expect([...heldFractions([{ entryTime: 0, exitTime: 31 }], spans)]).toEqual([1, 1, 1, 1])
  })
})

describe('pageDataOf', () => {
  it('has a bounded size, whatever the length of the run', () => {
    const { klines, equity, trips } = pageDataOf(waveReport(50_000))
    expect(klines.steps.length).toBe(50_000)
    expect(equity.time.length).toBeLessThanOrEqual(1200)
    expect(trips.pnl).toHaveLength(4166)
  })

  it('tells round trips apart by names that are there once', () => {
    const { trips } = pageDataOf(sampleReport())
    expect(trips.names).toEqual(['take-profit', 'cross'])
    expect([trips.exitReason, trips.tag]).toEqual([
      [0, 0],
      [1, -1],
    ])
    // A small loss is still one.
    expect(trips.pnl).toEqual([149.25, -0.001])
  })
})
