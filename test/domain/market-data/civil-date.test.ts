import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { civilDateOf, dayNumberOf, utcText } from '../../../src/domain/market-data/civil-date.ts'

const DAY = 86_400_000
/** Days of the years 1 to 9999, counted from 1970-01-01. */
const anyDay = fc.integer({ min: -719_162, max: 2_932_896 })

describe('civilDateOf and dayNumberOf', () => {
  it.each([
    [0, 1970, 1, 1],
    [-1, 1969, 12, 31],
    [59, 1970, 3, 1],
    [11_016, 2000, 2, 29],
    [19_782, 2024, 2, 29],
    [19_783, 2024, 3, 1],
    [-25_509, 1900, 2, 28],
    [-25_508, 1900, 3, 1],
  ])('name day %d %d-%d-%d', (dayNumber, year, month, day) => {
    expect(civilDateOf(dayNumber)).toEqual({ year, month, day })
    expect(dayNumberOf({ year, month, day })).toBe(dayNumber)
  })

  it('agree with Date on any day', () => {
    fc.assert(
      fc.property(anyDay, dayNumber => {
        const date = new Date(dayNumber * DAY)
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
        expect(civilDateOf(dayNumber)).toEqual(civil)
        expect(dayNumberOf(civil)).toBe(dayNumber)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('utcText', () => {
  it('writes what Date writes, to the ms', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: DAY - 1 }), (dayNumber, ms) => {
        const time = dayNumber * DAY + ms
        expect(utcText(time)).toBe(new Date(time).toISOString())
      }),
      { numRuns: 2000 },
    )
  })

  it('writes noon of a leap day', () => {
    expect(utcText(1_709_208_000_000)).toBe('2024-02-29T12:00:00.000Z')
  })
})
