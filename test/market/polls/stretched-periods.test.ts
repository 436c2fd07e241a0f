import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type StretchablePoll, stretchedPeriods } from '../../../src/market/polls/stretched-periods.ts'

const poll = (weight: number, everyMs: number, slowestMs = everyMs * 10): StretchablePoll => ({
  weight,
  everyMs,
  slowestMs,
})

const costOf = (polls: readonly StretchablePoll[], periods: readonly number[]) =>
  polls.reduce((total, { weight }, index) => total + (weight * 60_000) / (periods[index] ?? Number.NaN), 0)

describe('stretchedPeriods', () => {
  it('leaves the periods alone where they fit', () => {
    // 5 × 60 + 1 × 12 = 312 a minute.
    expect(stretchedPeriods([poll(5, 1000), poll(1, 5000)], 312)).toEqual([1000, 5000])
  })

  it('stretches all by one factor where they do not', () => {
    // 600 a minute into 400: one and a half times as long.
    expect(stretchedPeriods([poll(5, 1000), poll(10, 2000)], 400)).toEqual([1500, 3000])
  })

  it('stretches the others further where one is at its slowest', () => {
    // 300 + 300 into 350: the first stays at 250 (1200 ms), so the second has 100 left, three times as long.
    expect(stretchedPeriods([poll(5, 1000, 1200), poll(5, 1000)], 350)).toEqual([1200, 3000])
  })

  it('gives up where even the slowest do not fit', () => {
    expect(stretchedPeriods([poll(5, 1000, 2000)], 149)).toBeUndefined()
    expect(stretchedPeriods([poll(5, 1000, 2000)], 150)).toEqual([2000])
    expect(stretchedPeriods([poll(5, 1000)], 0)).toBeUndefined()
    expect(stretchedPeriods([], -1)).toBeUndefined()
  })

  it('needs nothing for nothing', () => {
    expect(stretchedPeriods([], 0)).toEqual([])
  })

  it('never costs more than there is, never is faster than wanted or slower than allowed, and wastes nothing', () => {
    const polls = fc.array(
      fc
        .record({
          weight: fc.integer({ min: 1, max: 80 }),
          everyMs: fc.integer({ min: 100, max: 60_000 }),
          factor: fc.integer({ min: 1, max: 20 }),
        })
        .map(({ weight, everyMs, factor }) => poll(weight, everyMs, everyMs * factor)),
      { minLength: 1, maxLength: 30 },
    )
    fc.assert(
      fc.property(polls, fc.integer({ min: 1, max: 20_000 }), (wanted, available) => {
        const periods = stretchedPeriods(wanted, available)
        const slowest = wanted.map(({ slowestMs }) => slowestMs)
        if (periods === undefined) {
          expect(costOf(wanted, slowest)).toBeGreaterThan(available - 1e-6)
          return
        }
        expect(costOf(wanted, periods)).toBeLessThanOrEqual(available + 1e-6)
        for (const [index, { everyMs, slowestMs }] of wanted.entries()) {
          expect(periods[index]).toBeGreaterThanOrEqual(everyMs)
          expect(periods[index]).toBeLessThanOrEqual(slowestMs)
        }
        const isSlowed = wanted.some(({ everyMs }, index) => (periods[index] ?? 0) > everyMs + 1)
        // 2%: whole milliseconds of a period of 100 ms.
        if (isSlowed) expect(costOf(wanted, periods)).toBeGreaterThan(available * 0.98)
      }),
    )
  })
})
