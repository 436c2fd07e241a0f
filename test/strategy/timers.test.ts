import { describe, expect, it } from 'vitest'
import { dueFrom, dueUntil, every, type Period } from '../../src/strategy/timers.ts'

const at = (text: string) => Date.parse(`${text}Z`)

describe('a timer', () => {
  it.each([
    ['4h', '2024-03-05T04:00:00', '2024-03-05T04:00:00', '2024-03-05T04:00:00'],
    ['4h', '2024-03-05T04:00:01', '2024-03-05T08:00:00', '2024-03-05T04:00:00'],
    ['15m', '2024-03-05T23:50:00', '2024-03-06T00:00:00', '2024-03-05T23:45:00'],
    ['1d', '2024-02-28T12:00:00', '2024-02-29T00:00:00', '2024-02-28T00:00:00'],
    // The 5th of March 2024 is a Tuesday.
    ['1w', '2024-03-05T00:00:00', '2024-03-11T00:00:00', '2024-03-04T00:00:00'],
    ['1M', '2024-02-10T00:00:00', '2024-03-01T00:00:00', '2024-02-01T00:00:00'],
    ['1M', '2024-03-01T00:00:00', '2024-03-01T00:00:00', '2024-03-01T00:00:00'],
  ] as const)(
    'every %s, seen from %s, is due from %s on, and was last due at %s',
    (period, time, from, until) => {
      expect(dueFrom(period, at(time))).toBe(at(from))
      expect(dueUntil(period, at(time))).toBe(at(until))
    },
  )

  it.each([
    ['1 day', '"1 day" is no period of a timer'],
    ['0h', '"0h" is no period of a timer'],
    ['7h', 'A timer of 7h would not come at the same times of every day'],
  ])('cannot come every %s', (period, message) => {
    expect(() => every(period as Period)).toThrow(message) // what a file that was not checked may say
  })
})
