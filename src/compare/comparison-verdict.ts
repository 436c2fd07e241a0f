import type { Amount } from '../domain/numbers/amount.ts'
import type { DifferencePart } from './difference-part.ts'
import type { ComparedOrder } from './money-difference.ts'
import { earnsLess, type PredictedResult } from './predicted-result.ts'
import type { RecordedOrder } from './trading-record.ts'

/**
 * Outcome of a comparison: nothing traded yet; all strategies decided on feeds that no backtest over klines follows; too
 * little traded live to tell; within the bound; beyond it, or with other orders or worse round trips, but for known causes; a
 * defect.
 */
export type ComparisonVerdict =
  | 'nothingYet'
  | 'notComparable'
  | 'cannotTell'
  | 'asPromised'
  | 'differs'
  | 'unexplained'

/** Notional of the fills of each run, in quote. */
export interface Turnovers {
  readonly live: Amount
  readonly backtest: Amount
}

/** Numbers of orders with fills, without those of which a command of the operator is the cause. */
export interface FilledOrders {
  readonly live: number
  /** Of them, those that the backtest did not fill. */
  readonly onlyLive: number
  readonly backtest: number
  readonly onlyBacktest: number
}

/** Figures from which a verdict follows; amounts in quote. */
export interface VerdictFigures {
  readonly turnover: Turnovers
  /** Live less backtest. */
  readonly difference: Amount
  readonly parts: Readonly<Record<DifferencePart, Amount>>
  /** Largest difference that counts as kept, as a fraction of what live turned over. */
  readonly boundRate: number
  readonly filled: FilledOrders
  /** Average result of live round trips beside the interval of the backtest's; `undefined` with too few of them. */
  readonly predicted: PredictedResult | undefined
  /** True if every strategy decided on feeds that the comparison cannot replay. */
  readonly isAllLeftOut: boolean
}

/** Takes back what an unexplained verdict on the same span said. */
export const EXPLAINED = 'What could not be explained of the difference is explained now: it is no defect.'

/** Live tells nothing with less than one part in so many of what the backtest turned over. */
const FEWEST_PARTS = 2n

/** The verdict: commands of the operator are no part of a promise, and the bound is by what live itself turned over. */
export function comparisonVerdictOf(figures: VerdictFigures): ComparisonVerdict {
  const { turnover, parts, filled, predicted } = figures
  if (figures.isAllLeftOut) return 'notComparable'
  if (turnover.live === 0n && turnover.backtest === 0n) return 'nothingYet'
  if (parts.unexplained !== 0n) return 'unexplained'
  if (!isWithinBound(figures)) return 'differs'
  if (isMost(filled.onlyLive, filled.live)) return 'differs'
  if (isTooLittle(turnover)) return 'cannotTell'
  return hasOtherOrders(filled) || earnsLess(predicted) ? 'differs' : 'asPromised'
}

/** True if more than half of the orders that a run filled were not filled in the other. */
export function hasOtherOrders({ onlyLive, live, onlyBacktest, backtest }: FilledOrders): boolean {
  return isMost(onlyLive, live) || isMost(onlyBacktest, backtest)
}

/** Counts the orders that were filled, and those that one run alone filled. */
export function filledOrders(orders: readonly ComparedOrder[]): FilledOrders {
  const hasFills = (order: RecordedOrder | undefined) => order !== undefined && order.fills.length > 0
  const own = orders.filter(({ cause }) => cause !== 'operator')
  const [live, backtest] = [own.filter(one => hasFills(one.live)), own.filter(one => hasFills(one.backtest))]
  return {
    live: live.length,
    onlyLive: live.filter(one => !hasFills(one.backtest)).length,
    backtest: backtest.length,
    onlyBacktest: backtest.filter(one => !hasFills(one.live)).length,
  }
}

/** True for more than half: runs with so many orders of their own are not the same, however small their difference is. */
function isMost(part: number, whole: number): boolean {
  return part * 2 > whole
}

/** True if the difference itself is within the bound. */
export function isWithinBound(
  figures: Pick<VerdictFigures, 'difference' | 'parts' | 'turnover' | 'boundRate'>,
): boolean {
  return Math.abs(Number(ownDifference(figures))) <= figures.boundRate * Number(figures.turnover.live)
}

/** The difference without what commands of the operator explain, in quote. */
export function ownDifference({ difference, parts }: Pick<VerdictFigures, 'difference' | 'parts'>): Amount {
  return (difference - parts.operator) as Amount
}

/** True if live turned over less than half of what the backtest did. */
function isTooLittle({ live, backtest }: Turnovers): boolean {
  return live * FEWEST_PARTS < backtest
}

/** Severity of a verdict: 0 without a difference that counts, 1 for one of known causes, 2 for a defect. */
export function verdictLevel(verdict: ComparisonVerdict): 0 | 1 | 2 {
  return verdict === 'unexplained' ? 2 : verdict === 'differs' ? 1 : 0
}
