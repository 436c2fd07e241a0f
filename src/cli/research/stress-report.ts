import { fixed } from '../../../backtest/report/text/figure-text.ts'
import type { StressRow } from '../../../backtest/stress/stress-test.ts'
import type { JudgeDone } from './judge-run.ts'
import { oneDecimalPercent } from './report-parts.ts'

/** Heads of the stress table. */
export const STRESS_HEAD: readonly string[] = [
  ...['', 'return', 'left of it', 'Sharpe ratio', 'drawdown', 'round trips'],
]

/** Rows of the stress table: the base, and what each scenario leaves of it. */
export function stressRows({ judged, stress }: JudgeDone): string[][] {
  const base: StressRow = { key: 'base', title: 'as it is', trial: judged }
  return [base, ...stress.filter(isPlayable)].map(row => stressCells(row, judged.figures.totalReturn))
}

/** False for neighbouring parameters that the strategy refuses: nobody can play them. */
function isPlayable({ key, trial: { outcome } }: StressRow): boolean {
  return key !== 'neighbour' || outcome !== 'refused'
}

/** Scenarios that play other klines than the base, so that their return is no part of its. */
const ON_OTHER_KLINES: readonly string[] = ['span', 'other']

function stressCells({ key, title, trial }: StressRow, total: number | null): string[] {
  if (trial.outcome !== 'finished') return [title, trial.outcome, '', '', '', '']
  const { totalReturn, sharpe, maxDrawdown, roundTrips } = trial.figures
  return [
    title,
    totalReturn === null ? 'n/a' : oneDecimalPercent(totalReturn),
    ON_OTHER_KLINES.includes(key) ? 'n/a' : leftText(totalReturn, total),
    sharpe === null ? 'n/a' : fixed(sharpe, 2),
    maxDrawdown === null ? 'n/a' : oneDecimalPercent(maxDrawdown),
    fixed(roundTrips ?? 0, 0),
  ]
}

/** Part of the total return that a scenario leaves: `nothing` if it earns none, `n/a` if the return itself is a loss. */
function leftText(totalReturn: number | null, total: number | null): string {
  if (totalReturn === null || total === null || total <= 0) return 'n/a'
  return totalReturn <= 0 ? 'nothing' : oneDecimalPercent(totalReturn / total)
}

/** The stress as plain data. */
export function stressJson({ stress }: JudgeDone) {
  return stress.map(({ key, title, trial }) =>
    trial.outcome === 'finished'
      ? { key, title, outcome: trial.outcome, figures: trial.figures }
      : { key, title, outcome: trial.outcome, problem: trial.problem },
  )
}
