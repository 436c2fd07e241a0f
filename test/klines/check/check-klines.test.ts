import { describe, expect, it } from 'vitest'
import type { Interval } from '../../../src/domain/market-data/interval.ts'
import { checkKlines } from '../../../src/klines/check/check-klines.ts'
import { isClean, missingIn } from '../../../src/klines/check/kline-report.ts'
import { klineColumnsOf } from '../../../src/klines/formats/kline-table.ts'
import { readKlineTable } from '../../../src/klines/formats/read-kline-table.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'

const MINUTE = 60_000
const START = Date.UTC(2018, 0, 1)

type Row = readonly [minute: number, open: number, high: number, low: number, close: number, volume: number]

/** A table of rows, whose places are their numbers. */
function tableOf(rows: readonly Row[]) {
  const columns = [0, 1, 2, 3, 4, 5].map(column =>
    Float64Array.from(rows, row =>
      column === 0 ? START + (row[0] ?? 0) * MINUTE : (row[column] ?? Number.NaN),
    ),
  )
  return { columns: klineColumnsOf(columns), placeOf: (row: number) => `Line ${row + 1}` }
}

const flat = (minute: number): Row => [minute, 10, 11, 9, 10, 1]
const check = (rows: readonly Row[], interval: Interval = '1m') => checkKlines(tableOf(rows), interval)

describe('checkKlines', () => {
  it('finds nothing in complete and possible klines', () => {
    const report = check([0, 1, 2].map(flat))
    expect(report).toMatchObject({ rows: 3, first: START, last: START + 2 * MINUTE })
    expect(isClean(report)).toBe(true)
    expect(report.warnings).toEqual({ zeroVolume: [], outliers: [] })
  })

  it('lists every gap', () => {
    const report = check([0, 1, 4, 5, 7].map(flat))
    expect(report.findings.gaps).toEqual([
      { from: START + 2 * MINUTE, to: START + 4 * MINUTE, missing: 2 },
      { from: START + 6 * MINUTE, to: START + 7 * MINUTE, missing: 1 },
    ])
    expect(missingIn(report)).toBe(3)
    expect(isClean(report)).toBe(false)
  })

  it('finds rows out of order, and does not take them for gaps', () => {
    const { findings } = check([0, 3, 1, 2, 4].map(flat))
    const detail = 'opens before a row above it, which opens at 2018-01-01T00:03:00.000Z'
    expect(findings.disorder).toEqual([
      { place: 'Line 3', openTime: START + MINUTE, detail },
      { place: 'Line 4', openTime: START + 2 * MINUTE, detail },
    ])
    expect(findings).toMatchObject({ gaps: [], duplicates: [] })
  })

  it('finds duplicates wherever they are, and tells the same from other values', () => {
    const { findings } = check([flat(0), flat(1), flat(1), flat(2), [0, 10, 11, 9, 10, 2]])
    expect(findings.duplicates).toEqual([
      { place: 'Line 5', openTime: START, detail: 'opens when line 1 does, with other values' },
      { place: 'Line 3', openTime: START + MINUTE, detail: 'opens when line 2 does, with the same values' },
    ])
    expect(findings.disorder.map(({ place }) => place)).toEqual(['Line 5'])
    expect(findings.gaps).toEqual([])
  })

  it('finds times that are none of the interval, which fill no gap', () => {
    const { findings } = check([flat(0), flat(1.5), flat(2)])
    expect(findings.misaligned).toEqual([
      { place: 'Line 2', openTime: START + 1.5 * MINUTE, detail: 'opens when no kline of 1m does' },
    ])
    expect(findings.gaps).toMatchObject([{ missing: 1 }])
  })

  it.each<[Row, string]>([
    [[0, 10, 9, 11, 10, 1], 'has a high of 9 below its low of 11; correct or remove it'],
    [
      [0, 12, 11, 9, 10, 1],
      'has an open of 12 outside its low of 9 and its high of 11; correct or remove it',
    ],
    [[0, 10, 11, 9, 8, 1], 'has a close of 8 outside its low of 9 and its high of 11; correct or remove it'],
    [[0, 10, 11, 0, 10, 1], 'has "0" as its low; expected a price above 0'],
    [[0, 10, 11, -9, 10, 1], 'has "-9" as its low; expected a price above 0'],
    [[0, 10, Number.POSITIVE_INFINITY, 9, 10, 1], 'has "Infinity" as its high; expected a price above 0'],
    [[0, 10, 11, 9, 10, -1], 'has "-1" as its volume; expected a number of at least 0'],
  ])('finds numbers that cannot be: %j', (row, detail) => {
    const report = check([row, flat(1)])
    expect(report.findings.insane).toEqual([{ place: 'Line 1', openTime: START, detail }])
    expect(isClean(report)).toBe(false)
  })

  it('warns of klines without volume, which are no findings', () => {
    const report = check([flat(0), [1, 10, 11, 9, 10, 0]])
    expect(report.warnings.zeroVolume).toEqual([
      { place: 'Line 2', openTime: START + MINUTE, detail: 'has a volume of 0' },
    ])
    expect(isClean(report)).toBe(true)
  })

  it('warns of a price that goes much further than usual, up or down, within a kline or between two', () => {
    // Usually 1% up or down from the close before it. A logarithm of 0.3 is 30 times that of 1.01, and a bit more.
    const quiet = (minute: number): Row => [minute, 100, 101, 100, 100, 1]
    const rows: Row[] = [0, 1, 2, 3, 4].map(quiet)
    const far = 100 * Math.exp(0.29)
    const further = 100 * Math.exp(0.31)
    const outliers = (row: Row) => check([...rows, row]).warnings.outliers.map(({ place }) => place)
    expect(outliers([5, 100, far, 100, 100, 1])).toEqual([])
    expect(outliers([5, 100, further, 100, 100, 1])).toEqual(['Line 6'])
    expect(outliers([5, 100, 100, 100 / Math.exp(0.31), 100, 1])).toEqual(['Line 6'])
    expect(outliers([5, further, further, further, further, 1])).toEqual(['Line 6'])
    // What cannot be is a finding, and no outlier.
    expect(outliers([5, 100, further, 100, 2 * further, 1])).toEqual([])
    // Behind a gap the price may be anywhere.
    expect(outliers([7, further, further, further, further, 1])).toEqual([])
  })

  it('is not blinded by many outliers, nor by klines that do not move', () => {
    const rows = Array.from({ length: 100 }, (_, minute): Row => {
      if (minute % 10 === 3) return [minute, 100, 1000, 100, 100, 1]
      return minute % 10 < 3 ? [minute, 100, 101, 100, 100, 1] : [minute, 100, 100, 100, 100, 1]
    })
    expect(check(rows).warnings.outliers).toHaveLength(10)
  })

  it('says when the klines are of another interval', () => {
    expect(check([0, 60, 120].map(flat)).advice).toBe(
      'All open times fit the interval 1h; check with --interval 1h.',
    )
    expect(check([0, 60, 120].map(flat), '1h').advice).toBeUndefined()
    expect(check([0, 3, 7].map(flat)).advice).toBeUndefined()
    // Two klines tell nothing.
    expect(check([0, 60].map(flat)).advice).toBeUndefined()
    expect(check([60 * 8, 60 * 32].map(flat), '1d').advice).toBe(
      'No kline opens when one of 1d does; check the interval and the time zone.',
    )
  })

  it('takes a table without rows', () => {
    const unreadable = [{ place: 'Line 1', problem: 'is no kline.' }]
    const report = checkKlines(tableOf([]), '1m', unreadable)
    expect(report).toMatchObject({ rows: 0, first: undefined, last: undefined })
    expect(isClean(report)).toBe(false)
  })

  it.each([
    ['bitfinex-neousd-1m', 386_831, 70_678, 138_769],
    // 538 places, where 717 klines are absent.
    ['freqtrade-unittestbtc-1m', 13_681, 538, 717],
  ])('finds the gaps of %s', async (name, rows, gaps, missing) => {
    const parts = ['data', `${name}.csv.gz`]
    if (!hasShared(...parts)) return
    const report = checkKlines(await readKlineTable(sharedPath(...parts)), '1m')
    expect([report.rows, report.findings.gaps.length, missingIn(report)]).toEqual([rows, gaps, missing])
    const { gaps: _, ...others } = report.findings
    expect(Object.values(others).flat()).toEqual([])
  })
})
