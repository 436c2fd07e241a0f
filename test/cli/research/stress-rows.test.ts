import { expect, it } from 'vitest'
import type { Trial } from '../../../backtest/trials/trial.ts'
import { stressRows } from '../../../src/cli/research/validate-report.ts'

const played = (totalReturn: number) =>
  ({
    outcome: 'finished',
    figures: { totalReturn, sharpe: 1, maxDrawdown: 0.1, roundTrips: 10 },
  }) as unknown as Trial

/** The column "left of it" where the base returned the first figure, and the scenarios the others. */
function left(base: number, ...others: readonly number[]): (string | undefined)[] {
  const stress = others.map(value => ({ key: 'other', title: 'other', trial: played(value) }))
  return stressRows({ judged: played(base), stress } as unknown as Parameters<typeof stressRows>[0]).map(
    cells => cells[2],
  )
}

it('says what part of a return stress leaves, and that a loss leaves nothing of it', () => {
  expect(left(0.4, 0.1, 0, -0.2)).toEqual(['100.0%', '25.0%', 'nothing', 'nothing'])
})

it('has no part of a loss', () => {
  expect(left(-0.4, 0.1, -0.2)).toEqual(['n/a', 'n/a', 'n/a'])
})
