import { describe, expect, it } from 'vitest'
import { finiteScore, objectiveOf } from '../../../backtest/search/objective.ts'
import type { FinishedTrial, TrialFigures } from '../../../backtest/trials/trial.ts'

function trialWith(figures: Partial<TrialFigures>): FinishedTrial {
  return { outcome: 'finished', figures } as FinishedTrial
}

describe('objectives', () => {
  it('are figures of a trial', () => {
    const trial = trialWith({ sharpe: 1.5, sortino: 2, calmar: 0.7, totalReturn: 0.3, maxDrawdown: 0.2 })
    expect(objectiveOf('sharpe', 30)(trial)).toBe(1.5)
    expect(objectiveOf('sortino', 30)(trial)).toBe(2)
    expect(objectiveOf('calmar', 30)(trial)).toBe(0.7)
    expect(objectiveOf('return-over-drawdown', 30)(trial)).toBeCloseTo(1.5)
  })

  it('have no score where a figure is absent, or too few round trips were made', () => {
    expect(finiteScore(objectiveOf('sharpe', 30)(trialWith({ sharpe: null })))).toBeUndefined()
    expect(
      objectiveOf('return-over-drawdown', 30)(trialWith({ totalReturn: 0, maxDrawdown: 0 })),
    ).toBeUndefined()
    const profit = objectiveOf('profit-factor', 30)
    expect(profit(trialWith({ profitFactor: 9, roundTrips: 29 }))).toBeUndefined()
    expect(profit(trialWith({ profitFactor: 9, roundTrips: 30 }))).toBe(9)
    expect(finiteScore(Number.NaN)).toBeUndefined()
    expect(finiteScore(Number.POSITIVE_INFINITY)).toBeUndefined()
  })
})
