import { expect, it } from 'vitest'
import { defineStrategy, enterLong, protect } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, run } from '../kline-table.ts'

/** Takes half at 110, and then lowers the target of the rest to 105, below the market. */
const lowers = defineStrategy({
  name: 'lowers',
  onKline: ({ close }, { position }) =>
    close === 100 && position.direction === 'flat'
      ? enterLong({
          takeProfit: [
            { at: 110, fraction: 0.5 },
            { at: 130, fraction: 0.5 },
          ],
        })
      : undefined,
  onFill: ({ purpose, price }) =>
    purpose === 'takeProfit' && price === 110 ? protect({ takeProfit: 105 }) : undefined,
})

it.each(['through', 'touch'] as const)(
  'a target that is placed inside a kline, below the market, takes what that pays and does not rest at its price (limits %s)',
  limitFill => {
    // The market is at 110, or a tick beyond, when it is placed.
    const result = run(lowers, [QUIET, QUIET, [109, 112, 109, 111]], {
      fills: { path: 'pessimistic', limitFill },
    })
    const past = limitFill === 'through' ? 110.01 : 110
    expect(fillWords(result)).toEqual([
      '1: buy 1 at 100 taker',
      '2: sell 0.5 at 110 taker',
      `2: sell 0.5 at ${past} taker`,
    ])
  },
)
