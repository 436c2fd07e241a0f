import { describe, expect, it } from 'vitest'
import { leastDaysOf, type ObjectiveName } from '../../../backtest/search/objective.ts'
import type { TrialRunner } from '../../../backtest/trials/trial.ts'
import { noScoreText } from '../../../src/cli/research/optimize-report.ts'
import { runWalkForward } from '../../../src/cli/research/walk-forward-run.ts'
import { backtestOn, bidder, hourly } from '../../backtest/trials/trial-market.ts'
import { SPOT } from '../../engine/engine-session.ts'

const PLAYED = new Error('It was played.')
const runner: TrialRunner = { run: () => Promise.reject(PLAYED), close: () => Promise.resolve() }

/** A walk-forward on hours from midnight on, with a training of so many, as far as its first trial. */
function walked(objective: ObjectiveName, train: number) {
  return runWalkForward({
    ...{ backtest: backtestOn(hourly(1, 5000), bidder, SPOT), runner },
    asked: { windows: 1, train, test: 100, purge: 0, embargo: 0, isAnchored: false },
    search: {
      ...{ parameters: { space: [], fixed: {} }, sampler: 'grid', seed: 1, trials: 1 },
      score: () => undefined,
    },
    leastTraining: { objective, ...leastDaysOf(objective) },
  })
}

describe('a training', () => {
  it.each([
    // An annual rate needs 180 days of 24 hours, which are 4,320; these touch 180 UTC days.
    ['calmar', 4297, 179, 180, 4320],
    ['calmar', 4319, 179, 180, 4320],
    // A daily return needs a part of its day only: 696 hours are 29 whole days.
    ['sharpe', 696, 29, 30, 720],
  ] as const)(
    'for %s of %i hours is refused with the length that is needed',
    async (name, train, there, days, klines) => {
      await expect(walked(name, train)).rejects.toThrow(
        `has ${there} days, and ${name} needs at least ${days}, which are ${klines} klines; give longer trainings`,
      )
    },
  )

  it.each([
    ['calmar', 4320],
    ['sharpe', 697],
  ] as const)('for %s of %i hours is played', async (name, train) => {
    await expect(walked(name, train)).rejects.toBe(PLAYED)
  })
})

it('says that a search without a score has too few days, counted as the objective counts them', () => {
  const searched = (hours: number) =>
    noScoreText({
      ...{ trials: [{ trial: { outcome: 'finished' } }], objectives: ['calmar'] },
      ...{ leastDays: leastDaysOf('calmar'), from: 0, to: hours * 3_600_000 },
    } as unknown as Parameters<typeof noScoreText>[0])
  expect(searched(4319)).toContain('the objective calmar needs 180 days, and the klines have 179;')
  expect(searched(4320)).toContain('has no value for any of them')
})
