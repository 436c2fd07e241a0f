import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  closeTimeOf,
  INTERVALS,
  type Interval,
  intervalMs,
  intervalOf,
  isMadeOf,
  openTimeOf,
} from '../../../src/domain/market-data/interval.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'

/** Any ms of the years 1960 to 2100. */
const anyTime = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2100, 0) })

describe('openTimeOf and closeTimeOf', () => {
  it.each<[Interval, string, string, string]>([
    ['1m', '2024-02-29T23:59:59.999Z', '2024-02-29T23:59:00Z', '2024-03-01T00:00:00Z'],
    ['1m', '2024-02-29T23:59:00.000Z', '2024-02-29T23:59:00Z', '2024-03-01T00:00:00Z'],
    ['5m', '2024-01-01T00:04:59.999Z', '2024-01-01T00:00:00Z', '2024-01-01T00:05:00Z'],
    ['15m', '2024-01-01T00:45:00Z', '2024-01-01T00:45:00Z', '2024-01-01T01:00:00Z'],
    ['30m', '2024-01-01T00:45:00Z', '2024-01-01T00:30:00Z', '2024-01-01T01:00:00Z'],
    ['1h', '2024-12-31T23:30:00Z', '2024-12-31T23:00:00Z', '2025-01-01T00:00:00Z'],
    ['4h', '2024-01-01T11:59:59Z', '2024-01-01T08:00:00Z', '2024-01-01T12:00:00Z'],
    ['3m', '2024-01-01T00:05:59.999Z', '2024-01-01T00:03:00Z', '2024-01-01T00:06:00Z'],
    ['2h', '2024-01-01T11:59:59Z', '2024-01-01T10:00:00Z', '2024-01-01T12:00:00Z'],
    ['6h', '2024-01-01T11:59:59Z', '2024-01-01T06:00:00Z', '2024-01-01T12:00:00Z'],
    ['8h', '2024-01-01T23:59:59Z', '2024-01-01T16:00:00Z', '2024-01-02T00:00:00Z'],
    ['12h', '2024-01-01T11:59:59Z', '2024-01-01T00:00:00Z', '2024-01-01T12:00:00Z'],
    ['1d', '2024-02-29T12:00:00Z', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    // Counted from 1 January 1970: 31 December 2023 is 19,722 days later, 6574 times three.
    ['3d', '1970-01-03T23:59:59Z', '1970-01-01T00:00:00Z', '1970-01-04T00:00:00Z'],
    ['3d', '1970-01-04T00:00:00Z', '1970-01-04T00:00:00Z', '1970-01-07T00:00:00Z'],
    ['3d', '2024-01-01T00:00:00Z', '2023-12-31T00:00:00Z', '2024-01-03T00:00:00Z'],
    ['3d', '1969-12-31T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-01T00:00:00Z'],
    // 2024-01-01 is a Monday.
    ['1w', '2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z', '2024-01-08T00:00:00Z'],
    ['1w', '2023-12-31T23:59:59Z', '2023-12-25T00:00:00Z', '2024-01-01T00:00:00Z'],
    ['1w', '1969-12-31T00:00:00Z', '1969-12-29T00:00:00Z', '1970-01-05T00:00:00Z'],
    ['1M', '2024-02-29T12:00:00Z', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['1M', '2023-02-28T23:59:59Z', '2023-02-01T00:00:00Z', '2023-03-01T00:00:00Z'],
    ['1M', '2024-12-31T23:59:59Z', '2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['1M', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'],
    ['1M', '1969-12-31T23:59:59Z', '1969-12-01T00:00:00Z', '1970-01-01T00:00:00Z'],
  ])('puts, for %s, %s into the kline from %s to %s', (interval, time, open, close) => {
    const openTime = openTimeOf(Date.parse(time), interval)
    expect(openTime).toBe(Date.parse(open))
    expect(closeTimeOf(openTime, interval)).toBe(Date.parse(close))
  })

  it('put every moment into exactly one kline of every interval', () => {
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...INTERVALS), (time, interval) => {
        const openTime = openTimeOf(time, interval)
        const closeTime = closeTimeOf(openTime, interval)
        expect(openTime).toBeLessThanOrEqual(time)
        expect(closeTime).toBeGreaterThan(time)
        expect(openTimeOf(closeTime, interval)).toBe(closeTime)
        expect(openTimeOf(closeTime - 1, interval)).toBe(openTime)
      }),
    )
  })

  it('start days, weeks and months where Date does', () => {
    fc.assert(
      fc.property(anyTime, time => {
        const date = new Date(time)
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
        expect(openTimeOf(time, '1d')).toBe(Date.UTC(year, month, day))
        const sinceMonday = (date.getUTCDay() + 6) % 7
        expect(openTimeOf(time, '1w')).toBe(Date.UTC(year, month, day - sinceMonday))
        expect(openTimeOf(time, '1M')).toBe(Date.UTC(year, month, 1))
        expect(closeTimeOf(openTimeOf(time, '1M'), '1M')).toBe(Date.UTC(year, month + 1, 1))
      }),
    )
  })
})

describe('intervalMs', () => {
  it.each<[Interval, number]>([
    ['1m', 60_000],
    ['5m', 300_000],
    ['15m', 900_000],
    ['30m', 1_800_000],
    ['1h', 3_600_000],
    ['3m', 180_000],
    ['2h', 7_200_000],
    ['4h', 14_400_000],
    ['6h', 21_600_000],
    ['8h', 28_800_000],
    ['12h', 43_200_000],
    ['3d', 259_200_000],
    ['1d', 86_400_000],
    ['1w', 604_800_000],
    ['1M', 2_592_000_000],
  ])('of %s is %d', (interval, ms) => {
    expect(intervalMs(interval)).toBe(ms)
  })

  it('grows through the list of intervals', () => {
    const lengths = INTERVALS.map(intervalMs)
    expect(lengths).toHaveLength(15)
    expect(lengths).toEqual(lengths.toSorted((left, right) => left - right))
  })
})

describe('isMadeOf', () => {
  it('holds where every kline begins and ends with one of its parts, over years of klines', () => {
    for (const whole of INTERVALS) {
      for (const part of INTERVALS) {
        let isMade = intervalMs(part) < intervalMs(whole)
        // 400 klines from 1969 on meet every way in which they can lie to each other.
        for (let open = openTimeOf(Date.UTC(1969, 6), whole), count = 0; isMade && count < 400; count++) {
          isMade = openTimeOf(open, part) === open
          open = closeTimeOf(open, whole)
        }
        expect(isMadeOf(whole, part), `${whole} of ${part}`).toBe(isMade)
      }
    }
  })

  it.each<[Interval, Interval, boolean]>([
    ['3d', '1d', true],
    ['12h', '8h', false],
    ['5m', '3m', false],
    ['1w', '3d', false],
    ['1M', '3d', false],
    ['1M', '1w', false],
    ['1M', '12h', true],
    ['1h', '1h', false],
    ['1d', '1M', false],
  ])('of %s by %s is %s', (whole, part, expected) => {
    expect(isMadeOf(whole, part)).toBe(expected)
  })
})

describe('intervalOf', () => {
  it('reads every interval', () => {
    expect(INTERVALS.map(intervalOf)).toEqual(INTERVALS)
  })

  it.each(['90m', '1H', '', '1m '])('refuses %j and names the possible ones', text => {
    expect(() => intervalOf(text)).toThrow(UsageError)
    expect(() => intervalOf(text)).toThrow(`"${text}" is not an interval; use one of 1m, 3m, 5m`)
  })

  it('tells a minute from a month', () => {
    expect(intervalMs(intervalOf('1M')) / intervalMs(intervalOf('1m'))).toBe(43_200)
  })
})
