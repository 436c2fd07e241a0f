import { describe, expect, it } from 'vitest'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import { klinesOf } from '../kline-table.ts'
import { randomRows } from '../random-market.ts'
import { backtestOf } from './backtest-of.ts'
import { honest, knowingByHeart, MEMORY_CHEATS, rememberingSince } from './cheats.ts'

const rows = randomRows(5, 2000)
/** So few moments with another future that these alone would hardly ever find a rare cheat. */
const proofOf = (strategy: Strategy, cuts = 4) =>
  atOnce(proveCausal({ backtest: backtestOf(strategy, rows), cuts, seed: 1 }))

const entriesOf = (strategy: Strategy) => proofOf(strategy, 1).compared.signals

describe('a strategy that looks ahead', () => {
  it('is not suspected where it does not', () => {
    expect(proofOf(honest).leak).toBeUndefined()
  })

  it.each(Object.entries(MEMORY_CHEATS))('is found where it %s', (_, strategy) => {
    expect(proofOf(strategy).leak).toBeDefined()
  })

  it('is a rare cheat here: it drops no more than some entries in a hundred', () => {
    const dropper = MEMORY_CHEATS['drops the entries before the deepest falls, some 3% of them'] as Strategy
    const dropped = entriesOf(honest) - entriesOf(dropper)
    expect(dropped).toBeGreaterThan(0)
    expect(dropped / entriesOf(honest)).toBeLessThan(0.05)
  })

  it.each([
    [2, 'repeated'],
    [3, 'replaced'],
    [5, 'replaced'],
  ] as const)(
    'is found where it keeps klines of its first run and cheats from its run %d on: %s',
    (from, foundBy) => {
      expect(proofOf(rememberingSince(from), 400).leak?.foundBy).toBe(foundBy)
    },
  )

  it('is not found where it knows a market by heart: nothing that it is shown tells', () => {
    const { openTime, close } = klinesOf(rows)
    const falls = openTime.filter((_, row) => (close[row + 1] ?? Number.NaN) < (close[row] as number))
    expect(proofOf(knowingByHeart(new Set(falls)), 400).leak).toBeUndefined()
  })
})
