import { expect, it } from 'vitest'
import type { Trial } from '../../../backtest/trials/trial.ts'
import { stressRows } from '../../../src/cli/research/stress-report.ts'

const played = (totalReturn: number) =>
  ({
    outcome: 'finished',
    figures: { totalReturn, sharpe: 1, maxDrawdown: 0.1, roundTrips: 10 },
  }) as unknown as Trial

/** The stress table where the base returned the first figure. */
function rowsOf(base: number, stress: readonly { key: string; title: string; trial: Trial }[]) {
  return stressRows({ judged: played(base), stress } as unknown as Parameters<typeof stressRows>[0])
}

/** The column "left of it" where the base returned the first figure, and the scenarios the others. */
function left(base: number, ...others: readonly number[]): (string | undefined)[] {
  const stress = others.map(value => ({ key: 'noise', title: 'noise', trial: played(value) }))
  return rowsOf(base, stress).map(cells => cells[2])
}

it('says what part of a return stress leaves, and that a loss leaves nothing of it', () => {
  expect(left(0.4, 0.1, 0, -0.2)).toEqual(['100.0%', '25.0%', 'nothing', 'nothing'])
})

it('has no part of a loss', () => {
  expect(left(-0.4, 0.1, -0.2)).toEqual(['n/a', 'n/a', 'n/a'])
})

it('has no part for other klines, whose return is none of the base', () => {
  // Two halves of 41.4% each compound to 100%: 41.4% would look as if most were gone.
  const rows = rowsOf(1, [
    { key: 'span', title: 'first half of the klines', trial: played(0.414) },
    { key: 'other', title: 'on ETH/USDT', trial: played(2.4) },
  ])
  expect(rows.map(([title, total, part]) => [title, total, part])).toEqual([
    ['as it is', '100.0%', '100.0%'],
    ['first half of the klines', '41.4%', 'n/a'],
    ['on ETH/USDT', '240.0%', 'n/a'],
  ])
})

it('has no row for neighbouring parameters that the strategy refuses, and one for whatever else is not played', () => {
  const refused = {
    outcome: 'refused',
    parameters: {},
    problem: 'fast (48) must be smaller than slow (48).',
  } as const
  const failed = { ...refused, outcome: 'failed' } as const
  const rows = rowsOf(1, [
    { key: 'neighbour', title: 'parameters fast=48 slow=48', trial: refused },
    { key: 'neighbour', title: 'parameters fast=47 slow=48', trial: failed },
    { key: 'other', title: 'on ETH/USDT', trial: refused },
  ])
  expect(rows.map(([title, outcome]) => [title, outcome]).slice(1)).toEqual([
    ['parameters fast=47 slow=48', 'failed'],
    ['on ETH/USDT', 'refused'],
  ])
})
