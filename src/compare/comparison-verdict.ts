import type { Amount } from '../domain/numbers/amount.ts'
import type { DifferencePart } from './difference-part.ts'

/**
 * Outcome of a comparison: nothing traded yet; too little traded live to tell; within the bound; beyond it, but for known
 * causes; a defect.
 */
export type ComparisonVerdict = 'nothingYet' | 'cannotTell' | 'asPromised' | 'differs' | 'unexplained'

/** Notional of the fills of each run, in quote. */
export interface Turnovers {
  readonly live: Amount
  readonly backtest: Amount
}

/** Figures from which a verdict follows; amounts in quote. */
export interface VerdictFigures {
  readonly turnover: Turnovers
  /** Live less backtest. */
  readonly difference: Amount
  readonly parts: Readonly<Record<DifferencePart, Amount>>
  /** Largest difference that counts as kept, as a fraction of what live turned over. */
  readonly boundRate: number
}

/** Live tells nothing with less than one part in so many of what the backtest turned over. */
const FEWEST_PARTS = 2n

/** The verdict: commands of the operator are no part of a promise, and the bound is by what live itself turned over. */
export function comparisonVerdictOf(figures: VerdictFigures): ComparisonVerdict {
  const { turnover, parts, boundRate } = figures
  if (turnover.live === 0n && turnover.backtest === 0n) return 'nothingYet'
  if (parts.unexplained !== 0n) return 'unexplained'
  if (Math.abs(Number(ownDifference(figures))) > boundRate * Number(turnover.live)) return 'differs'
  return isTooLittle(turnover) ? 'cannotTell' : 'asPromised'
}

/** The difference without what commands of the operator explain, in quote. */
export function ownDifference({ difference, parts }: Pick<VerdictFigures, 'difference' | 'parts'>): Amount {
  return (difference - parts.operator) as Amount
}

/** True if live turned over less than half of what the backtest did. */
function isTooLittle({ live, backtest }: Turnovers): boolean {
  return live * FEWEST_PARTS < backtest
}

/** True for a verdict that asks for nobody: no difference was found that counts. */
export function isQuiet(verdict: ComparisonVerdict): boolean {
  return verdict !== 'differs' && verdict !== 'unexplained'
}
