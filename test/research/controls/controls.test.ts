import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import {
  type ControlPlan,
  type HeldSpan,
  randomEntriesTest,
  shiftedSignalsTest,
} from '../../../src/research/controls/controls.ts'
import { SENTENCE } from '../statistics/reference-cases.ts'

const ROWS = 400

/** A price that rises by 1% on every tenth kline, and stands still between. */
function staircase(): Float64Array {
  let price = 100
  return Float64Array.from({ length: ROWS + 1 }, (_, row) => {
    if (row % 10 === 5) price *= 1.01
    return price
  })
}

/** Positions over the step of every fortieth kline. */
const KNOWING: readonly HeldSpan[] = Array.from({ length: 10 }, (_, index) => ({
  from: 40 * index + 4,
  to: 40 * index + 5,
  direction: 1,
}))

const plan = (changes: Partial<ControlPlan> = {}): ControlPlan => ({
  prices: staircase(),
  held: KNOWING,
  cost: 0.001,
  count: 199,
  seed: 'controls',
  ...changes,
})

describe('controls', () => {
  it('tell entries that know from entries that do not', () => {
    // Every position earns 1% - 0.2%; one drawn at random earns the step one time in ten.
    const random = randomEntriesTest(plan())
    expect(random.value?.observed).toBeCloseTo(0.008, 12)
    expect(random.value?.p).toBe(1 / 200)
    // Moved by a multiple of ten klines, all positions know again: about a tenth of the shifts.
    const p = shiftedSignalsTest(plan()).value?.p as number
    expect(p).toBeGreaterThan(0.04)
    expect(p).toBeLessThan(0.18)
  })

  it('find nothing in entries drawn at random', () => {
    const { uniform } = seededRandom('ignorant')
    let low = 0
    for (let run = 0; run < 100; run++) {
      let price = 100
      const prices = Float64Array.from({ length: 101 }, () => {
        price *= 1 + (uniform() - 0.5) * 0.02
        return price
      })
      const held = Array.from({ length: 6 }, (_, index): HeldSpan => {
        const from = index * 16 + Math.floor(uniform() * 8)
        return { from, to: from + 1 + Math.floor(uniform() * 7), direction: uniform() < 0.5 ? 1 : -1 }
      })
      const found = randomEntriesTest(plan({ prices, held, count: 99, seed: `${run}` }))
      if ((found.value?.p as number) <= 0.1) low++
    }
    // 10 of 100 are expected, and fewer than 2 or more than 20 in one of a thousand.
    expect(low).toBeGreaterThan(1)
    expect(low).toBeLessThan(21)
  })

  it('earn on a short what the price loses', () => {
    const prices = Float64Array.from([100, 100, 90, 90])
    const held: HeldSpan[] = [{ from: 1, to: 2, direction: -1 }]
    expect(randomEntriesTest(plan({ prices, held })).value?.observed).toBeCloseTo(0.1 - 0.002, 12)
  })

  it('are the same for the same seed, and others for another', () => {
    expect(shiftedSignalsTest(plan())).toEqual(shiftedSignalsTest(plan()))
    expect(shiftedSignalsTest(plan({ seed: 'other' }))).not.toEqual(shiftedSignalsTest(plan()))
  })

  it('are undefined without positions, without controls, and where nothing can be moved', () => {
    for (const wrong of [{ held: [] }, { count: 0 }, { prices: Float64Array.from([1, 2]) }]) {
      for (const test of [randomEntriesTest, shiftedSignalsTest]) {
        expect(test(plan(wrong))).toEqual({ value: undefined, reason: expect.stringMatching(SENTENCE) })
      }
    }
  })
})
