import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { checkInterval } from '../../src/klines/check-interval.ts'
import { klinesAt } from './klines-at.ts'

const START = Date.UTC(2018, 0, 1)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const minutes = (...offsets: number[]) => klinesAt(offsets.map(offset => START + offset * MINUTE))

describe('checkInterval', () => {
  it('finds no gap in a complete series', () => {
    expect(checkInterval(minutes(0, 1, 2), '1m')).toEqual({ count: 0, missing: 0 })
    expect(checkInterval(minutes(0), '1m')).toEqual({ count: 0, missing: 0 })
  })

  it('reports gaps as facts, with the first and the longest', () => {
    expect(checkInterval(minutes(0, 1, 3, 4, 7, 10), '1m')).toEqual({
      count: 3,
      missing: 5,
      first: { from: START + 2 * MINUTE, to: START + 3 * MINUTE, missing: 1 },
      longest: { from: START + 5 * MINUTE, to: START + 7 * MINUTE, missing: 2 },
    })
  })

  it('counts months by the calendar', () => {
    const months = klinesAt([Date.UTC(2018, 0), Date.UTC(2018, 1), Date.UTC(2018, 4)])
    expect(checkInterval(months, '1M')).toMatchObject({ count: 1, missing: 2 })
  })

  it('lets a stock rest on weekends', () => {
    const friday = Date.UTC(2018, 0, 5)
    const days = klinesAt([friday - 24 * HOUR, friday, friday + 72 * HOUR])
    expect(checkInterval(days, '1d')).toMatchObject({ count: 1, missing: 2 })
  })

  it('refuses klines that open between the klines of the interval', () => {
    expect(() => checkInterval(minutes(0, 1, 2), '1h')).toThrow(UsageError)
    expect(() => checkInterval(minutes(0, 1, 2), '1h')).toThrow(
      'No kline of 1h opens at 2018-01-01T00:01:00.000Z (UTC): the times fit the interval 1m.',
    )
    expect(() => checkInterval(klinesAt([START + 1]), '1m')).toThrow(/check its time zone/)
  })

  it('refuses klines of a longer interval', () => {
    expect(() => checkInterval(minutes(0, 60, 120), '1m')).toThrow(
      'The klines are of the interval 1h, not 1m: their open times all fit it.',
    )
  })

  it('accepts a sparse series that fits no longer interval', () => {
    expect(checkInterval(minutes(0, 3, 7), '1m')).toMatchObject({ count: 2, missing: 5 })
  })
})
