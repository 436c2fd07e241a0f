import { describe, expect, it } from 'vitest'
import { amountOf, amountToText, ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { Lot } from '../../src/domain/position.ts'
import { costBasisOfRemainder } from '../../src/ledger/cost-basis-of-remainder.ts'
import { MARGIN } from '../engine/engine-session.ts'

/** Of whole units at a whole price. */
const lot = (time: number, price: number, units: number): Lot => ({
  ...{ clientOrderId: `at-${time}`, time, price: ticks(price * 100), quantity: steps(units * 1000) },
  ...{ fee: ZERO, reason: 'entry' },
})
const LOTS = [lot(1, 100, 2), lot(2, 130, 1), lot(5, 200, 4)]
// 2 at 100 and 1 at 130 are 330, 4 at 200 are 800.
const WHOLE = { quantity: steps(7000), cost: amountOf('1130') }

describe('costBasisOfRemainder', () => {
  it.each([
    ['what was opened since, where all before is gone', 3, 4, '800'],
    ['that and a share of what was held before', 3, 5, '910'],
    ['what two lots opened since', 1, 6, '1030'],
    ['everything, where nothing is gone', 3, 7, '1130'],
  ])('is %s', (_what, time, rest, cost) => {
    const kept = costBasisOfRemainder(MARGIN, WHOLE, LOTS, time, steps(rest * 1000))
    expect(kept && amountToText(kept)).toBe(cost)
  })

  it.each([
    ['nothing was opened since', 5, 3],
    ['less stays than was opened since', 3, 3],
  ])('is unknown where %s', (_what, time, rest) => {
    expect(costBasisOfRemainder(MARGIN, WHOLE, LOTS, time, steps(rest * 1000))).toBeUndefined()
  })
})
