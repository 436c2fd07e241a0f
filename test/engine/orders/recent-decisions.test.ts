import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decision, RecentDecisions } from '../../../src/engine/orders/recent-decisions.ts'

/** Steps of market time from the latest: mostly ahead, at times back to a close that is shown late. */
const STEPS = array(integer({ min: -45, max: 90 }), { minLength: 1, maxLength: 300 })

describe('recent decisions', () => {
  it('number no two orders of a time alike, and go on with the decision of a time that is not too old', () => {
    assert(
      property(STEPS, steps => {
        const decisions = new RecentDecisions()
        const named = new Set<string>()
        let newest = 1000
        for (const step of steps) {
          const time = newest + Math.min(step, 2)
          newest = Math.max(newest, time)
          const decision = decisions.at(time, 0)
          const name = `${decision.time} ${decision.orders++}`
          expect(named).not.toContain(name)
          named.add(name)
          // The 31 latest ms are remembered, even if each had its decision.
          if (time > newest - 31) expect(decision.time).toBe(time)
          else expect([time, newest]).toContain(decision.time)
        }
      }),
    )
  })

  it('are gone on with at the latest time where they are forgotten, also after a restart', () => {
    const decisions = new RecentDecisions()
    const all: Decision[] = []
    for (let time = 0; time < 40; time++) all.push(decisions.at(time, time))
    const newest = all.at(-1) as Decision
    const again = new RecentDecisions()
    again.restore(decisions.snapshot(newest), newest)
    for (const known of [decisions, again]) {
      expect(known.at(7, 40).time).toBe(39)
      expect(known.at(8, 40)).toEqual(all[8])
      expect(known.at(39, 40)).toBe(newest)
    }
  })
})
