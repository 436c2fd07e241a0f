import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutLaterDetail } from '../../../backtest/validation/causality/other-detail.ts'
import { withOtherFuture } from '../../../backtest/validation/causality/other-future.ts'
import { isSoundRow } from '../../../src/klines/kline-row.ts'
import { klinesOf, type Row } from '../kline-table.ts'
import { anySeed, randomRows } from '../random-market.ts'

describe('withOtherFuture', () => {
  it('mirrors what comes at the close of the cut, and lets it begin against the true next kline', () => {
    const rows: Row[] = [
      [100, 100, 100, 100],
      [100, 125, 100, 125],
      [125, 125, 80, 100],
    ]
    const other = withOtherFuture(klinesOf(rows), '1m', { cut: 0, ahead: 2, seed: 1 })
    // 100² / 125 = 80, lower still by 0.5 to 1%; high and low change places.
    expect(other.close[1]).toBeLessThan(80 * 0.995)
    expect(other.close[1]).toBeGreaterThan(80 * 0.99)
    expect(other.high[1] as number).toBeCloseTo(((other.low[1] as number) * 125) / 100, 8)
    expect([...other.openTime]).toEqual([0, 120_000, 180_000])
  })

  it('keeps the past, gives possible klines, changes every close, and ends where it is told', () => {
    const course = fc.record({
      past: anySeed,
      seed: anySeed,
      cut: fc.nat(48),
      ahead: fc.integer({ min: 1, max: 60 }),
    })
    fc.assert(
      fc.property(course, ({ past, seed, cut, ahead }) => {
        const klines = klinesOf(randomRows(past, 50))
        const other = withOtherFuture(klines, '1m', { cut, ahead, seed })
        expect(other.length).toBe(Math.min(50, cut + 1 + ahead))
        let previous = Number.NEGATIVE_INFINITY
        for (let row = 0; row < other.length; row++) {
          const names = ['openTime', 'open', 'high', 'low', 'close', 'volume'] as const
          const values = Float64Array.from(names, name => other[name][row] as number)
          expect(isSoundRow(values, previous)).toBe(true)
          previous = values[0] as number
          if (row <= cut) expect([...values]).toEqual(names.map(name => klines[name][row]))
          else expect(values[4]).not.toBe(klines.close[row])
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('withoutLaterDetail', () => {
  it('keeps finer klines up to the close of the cut, and ends with the last kline', () => {
    const minutes = klinesOf(randomRows(1, 20))
    const fives = { ...klinesOf(randomRows(2, 4)), openTime: Float64Array.of(0, 300_000, 600_000, 900_000) }
    const other = withOtherFuture(fives, '5m', { cut: 1, ahead: 2, seed: 1 })
    const detail = withoutLaterDetail(minutes, other, '5m', 1)
    // Ten minutes of the two klines that stay, and the last kline, which opens at minute 20 now.
    expect(Array.from(detail.openTime, time => time / 60_000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20])
    expect([...detail.close.slice(0, 10)]).toEqual([...minutes.close.slice(0, 10)])
    expect(detail.close[10]).toBe(other.close[3])
  })
})
