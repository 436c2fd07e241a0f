import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SlidingWindow } from '../../../src/exchange/budget/sliding-window.ts'

const PER_MS = 100
const LIMIT = 10

/** A call that wants to leave at a time, and how long it takes. */
const step = fc.record({
  wait: fc.integer({ min: 0, max: 40 }),
  weight: fc.integer({ min: 1, max: LIMIT }),
  takes: fc.integer({ min: 0, max: 60 }),
})

interface Sent {
  readonly weight: number
  readonly sentAt: number
  readonly endedAt: number
}

/** Sends each call at the first moment that the window allows. */
function sendAll(steps: readonly { wait: number; weight: number; takes: number }[]): readonly Sent[] {
  const window = new SlidingWindow(LIMIT, PER_MS)
  const sent: Sent[] = []
  let underWay: Sent[] = []
  let now = 0
  const settleUntil = (time: number): void => {
    for (const call of underWay
      .filter(({ endedAt }) => endedAt <= time)
      .toSorted((a, b) => a.endedAt - b.endedAt)) {
      window.settle(call.weight, call.endedAt)
    }
    underWay = underWay.filter(({ endedAt }) => endedAt > time)
  }
  for (const { wait, weight, takes } of steps) {
    now += wait
    settleUntil(now)
    for (; window.used(now) + weight > LIMIT; now++) settleUntil(now + 1)
    window.begin(weight)
    const call = { weight, sentAt: now, endedAt: now + takes }
    underWay.push(call)
    sent.push(call)
  }
  return sent
}

describe('SlidingWindow', () => {
  it('holds its limit in every window, wherever between sending and answer the exchange counts a call', () => {
    const property = fc.property(fc.array(fc.tuple(step, fc.nat(1000)), { maxLength: 60 }), steps => {
      const sent = sendAll(steps.map(([one]) => one))
      // The exchange counts each call at some real moment of its way; a clock that shows whole ms hides up to 1 ms.
      const counted = sent
        .map(({ weight, sentAt, endedAt }, index) => ({
          weight,
          at: sentAt + ((endedAt + 0.999 - sentAt) * (steps[index]?.[1] ?? 0)) / 1000,
        }))
        .toSorted((a, b) => a.at - b.at)
      for (const first of counted) {
        const within = counted.filter(({ at }) => at >= first.at && at <= first.at + PER_MS)
        expect(within.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(LIMIT)
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('says when there is room again', () => {
    const window = new SlidingWindow(LIMIT, PER_MS)
    window.begin(4)
    window.begin(6)
    expect(window.fitsAt(1, LIMIT, 5)).toBeUndefined()
    window.settle(4, 10)
    window.settle(6, 20)
    expect(window.fitsAt(1, LIMIT, 20)).toBe(111)
    expect(window.fitsAt(5, LIMIT, 20)).toBe(121)
    expect(window.used(110)).toBe(10)
    expect(window.used(111)).toBe(6)
    expect(window.used(121)).toBe(0)
    expect(window.fitsAt(LIMIT, LIMIT, 121)).toBe(121)
  })

  it('takes back what was never sent at once', () => {
    const window = new SlidingWindow(LIMIT, PER_MS)
    window.begin(LIMIT)
    window.giveBack(LIMIT)
    expect(window.used(0)).toBe(0)
  })

  it('of no length counts only what is under way', () => {
    const window = new SlidingWindow(2, 0)
    window.begin(1)
    window.begin(1)
    expect(window.used(0)).toBe(2)
    window.settle(1, 0)
    expect(window.used(0)).toBe(1)
  })

  it('stays small and right over many calls', () => {
    const window = new SlidingWindow(LIMIT, PER_MS)
    for (let now = 0; now < 100_000; now += 10) {
      window.begin(1)
      window.settle(1, now)
    }
    expect(window.used(99_990)).toBe(LIMIT + 1)
    expect(window.used(100_090)).toBe(1)
  })
})
