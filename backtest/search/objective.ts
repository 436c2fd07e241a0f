import { MINIMUM } from '../metrics/convention.ts'
import type { FinishedTrial } from '../trials/trial.ts'

/** Objectives by name; of each, more is better. */
export const OBJECTIVES = ['sharpe', 'sortino', 'calmar', 'return-over-drawdown', 'profit-factor'] as const

/** Name of an objective. */
export type ObjectiveName = (typeof OBJECTIVES)[number]

/** Score of a trial, of which more is better; `null`, `undefined` or NaN where it has none. */
export type Objective = (trial: FinishedTrial) => number | null | undefined

/** The objective of a name. `leastTrades`: round trips below which a profit factor says nothing. */
export function objectiveOf(name: ObjectiveName, leastTrades: number): Objective {
  switch (name) {
    case 'sharpe':
    case 'sortino':
    case 'calmar':
      return ({ figures }) => figures[name]
    case 'return-over-drawdown':
      return returnOverDrawdown
    case 'profit-factor':
      return ({ figures: { profitFactor, roundTrips } }) =>
        (roundTrips ?? 0) < leastTrades ? undefined : profitFactor
  }
}

/** Days below which no trial has a score by an objective. */
export function leastDaysOf(name: ObjectiveName): number {
  switch (name) {
    case 'sharpe':
    case 'sortino':
      return MINIMUM.dailyReturns
    case 'calmar':
      return MINIMUM.daysForAnnualRate
    case 'return-over-drawdown':
    case 'profit-factor':
      return 1
  }
}

/** Return of the whole span ÷ largest drawdown; none where equity never fell. */
function returnOverDrawdown({ figures: { totalReturn, maxDrawdown } }: FinishedTrial): number | undefined {
  return totalReturn === null || maxDrawdown === null || maxDrawdown === 0
    ? undefined
    : totalReturn / maxDrawdown
}

/** A score as a search takes it: a finite number, or none. */
export function finiteScore(score: number | null | undefined): number | undefined {
  return typeof score === 'number' && Number.isFinite(score) ? score : undefined
}
