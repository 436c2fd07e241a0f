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

/** Days below which no trial has a score. */
export interface LeastDays {
  readonly days: number
  /** `utc`: UTC days that the span touches, each of which has a return. `whole`: 24 hours each, as an annual rate counts them. */
  readonly counted: 'utc' | 'whole'
}

/** Days that an objective needs. */
export function leastDaysOf(name: ObjectiveName): LeastDays {
  switch (name) {
    case 'sharpe':
    case 'sortino':
      return { days: MINIMUM.dailyReturns, counted: 'utc' }
    case 'calmar':
      return { days: MINIMUM.daysForAnnualRate, counted: 'whole' }
    case 'return-over-drawdown':
    case 'profit-factor':
      return { days: 1, counted: 'utc' }
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
