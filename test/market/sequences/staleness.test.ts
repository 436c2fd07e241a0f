import { describe, expect, it } from 'vitest'
import { Staleness } from '../../../src/market/sequences/staleness.ts'

describe('Staleness', () => {
  it('tells once that a stream is overdue by more than it may be, with the age of its latest datum', () => {
    const staleness = new Staleness([{ stream: 'a', dueAt: 100 }], 1000, 0)
    staleness.saw('a', 150, 250)
    expect(staleness.check(1250)).toEqual([])
    expect(staleness.check(1251)).toEqual([{ type: 'stale', stream: 'a', ageMs: 1101 }])
    expect(staleness.check(9000)).toEqual([])
  })

  it('tells that it is fresh again, and how long it had been silent', () => {
    const staleness = new Staleness([{ stream: 'a', dueAt: 100 }], 1000, 0)
    staleness.check(2000)
    expect(staleness.saw('a', 5000, 6000)).toEqual([{ type: 'fresh', stream: 'a', ageMs: 5000 }])
    expect(staleness.saw('a', 5500, 6500)).toEqual([])
    expect(staleness.check(7501)).toHaveLength(1)
  })

  it('watches each stream by itself', () => {
    const staleness = new Staleness(
      [
        { stream: 'a', dueAt: 100 },
        { stream: 'b', dueAt: 100 },
      ],
      1000,
      0,
    )
    staleness.saw('b', 1000, 2000)
    expect(staleness.check(1500).map(({ stream }) => stream)).toEqual(['a'])
  })

  it('says when the next stream can become stale, and looks again after its tolerance at the latest', () => {
    const staleness = new Staleness(
      [
        { stream: 'a', dueAt: 100 },
        { stream: 'b', dueAt: 300 },
      ],
      1000,
      0,
    )
    expect(staleness.nextAt(200)).toBe(1101)
    staleness.saw('a', 250, 5000)
    expect(staleness.nextAt(250)).toBe(1250)
    expect(staleness.nextAt(500)).toBe(1301)
    expect(staleness.check(1301)).toHaveLength(1)
    expect(staleness.nextAt(1301)).toBe(2301)
  })

  it('knows nothing of streams that nobody watches', () => {
    const staleness = new Staleness([], 1000, 0)
    expect(staleness.saw('a', 5000, 6000)).toEqual([])
    expect(staleness.check(9000)).toEqual([])
  })
})
