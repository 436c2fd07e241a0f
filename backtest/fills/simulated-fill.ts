import type { Amount } from '../../src/domain/numbers/amount.ts'
import type { Ticks } from '../../src/domain/numbers/grid.ts'
import type { FillEvidence } from '../../src/matching/fill-evidence.ts'
import type { CostedFill } from '../metrics/round-trips/costed-fill.ts'
import type { FillRule } from '../models/fill-rule.ts'

/** A fill of a backtest, with the rule that gave it. */
export interface SimulatedFill extends CostedFill {
  readonly book: string
  readonly rule: FillRule
  /** Of the order. */
  readonly tag?: string | undefined
  /** Open time of the kline (of `detail`, if given) that gave it, ms UTC. */
  readonly klineOpenTime: number
  /** The price that the rule gives, on the grid, before slippage and spread. */
  readonly priceBeforeSlippage: Ticks
  /** Quote lost to slippage and spread, exact; at least 0. */
  readonly slippage: Amount
  /** Evidence for it, where recorded ticks were played. */
  readonly evidence?: FillEvidence | undefined
}

/** A fill as it is booked: its slippage follows from its prices, and is computed when somebody reads it. */
export type UncostedFill = Omit<SimulatedFill, 'slippage'>
