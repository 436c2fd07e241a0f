import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { absentSpans, firstOpenTime } from '../../../src/klines/download/absent-spans.ts'

const MINUTE = 60_000
const PAGE = 5

/** Spans in minutes, where these minutes are there of those from `from` to before `to`. */
function spans(there: readonly number[], from: number, to: number): number[][] {
  const openTimes = Float64Array.from(there, minute => minute * MINUTE)
  const span = { from: from * MINUTE, to: to * MINUTE }
  return absentSpans(openTimes, span, '1m', PAGE).map(absent => [absent.from / MINUTE, absent.to / MINUTE])
}

describe('absentSpans', () => {
  it.each<[string, number[], number[][]]>([
    ['all, where nothing is there', [], [[0, 20]]],
    ['nothing, where all is there', Array.from({ length: 20 }, (_, minute) => minute), []],
    ['the end, from the last that is there', [0, 1, 2], [[2, 20]]],
    ['the beginning', [15, 16, 17, 18, 19], [[0, 15]]],
    [
      'large holes first, then small ones',
      [0, 1, 3, 4, 5, 6, 12, 13, 14, 15, 16, 17, 18, 19],
      [
        [7, 12],
        [2, 3],
      ],
    ],
    [
      'small holes within one page together',
      [0, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
      [
        [1, 4],
        [8, 9],
      ],
    ],
  ])('is %s', (_, there, expected) => {
    expect(spans(there, 0, 20)).toEqual(expected)
  })

  it('covers all that is absent, and no span of small holes is longer than a page', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(59)), numbers => {
        const there = new Set(numbers)
        const found = spans(
          [...there].sort((left, right) => left - right),
          0,
          60,
        )
        for (let minute = 0; minute < 60; minute++) {
          if (there.has(minute)) continue
          expect(found.some(([from = 0, to = 0]) => minute >= from && minute < to)).toBe(true)
        }
        for (const [from = 0, to = 0] of found) {
          const isWhole = Array.from({ length: to - from }, (_, index) => from + index).every(
            minute => !there.has(minute),
          )
          expect(isWhole || to - from <= PAGE || to === 60).toBe(true)
        }
      }),
    )
  })
})

describe('firstOpenTime', () => {
  it.each([
    [0, 0],
    [1, MINUTE],
    [MINUTE, MINUTE],
  ])('of %i is %i', (time, expected) => {
    expect(firstOpenTime(time, '1m')).toBe(expected)
  })
})
