import type { Interval } from '../domain/market-data/interval.ts'
import type { Size } from '../domain/signal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RiskCheck } from '../risk/risk-check.ts'
import type { RiskRules } from '../risk/risk-rules.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { GivenParameter } from '../strategy/parameters.ts'

/** The instrument of a role of a strategy. */
export interface SecondaryMarket {
  readonly symbol: string
  /** Size of signals that name none; default: that of the strategy. */
  readonly size?: Size | undefined
}

/** One strategy on its instruments. */
export interface StrategyRunnerOptions {
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, GivenParameter>>
  /** Its own instrument. */
  readonly symbol: string
  readonly interval: Interval
  /** The instruments of its roles: one for each that the strategy declares. */
  readonly markets?: Readonly<Record<string, SecondaryMarket>> | undefined
  /** Size of signals that name none. */
  readonly size: Size
  /**
   * The books that it has already, by role; that of its own instrument under ''. Default: see `bookNames`.
   */
  readonly books?: Readonly<Record<string, string>> | undefined
  /** Its own limits and protections, beside those of the account. */
  readonly risk?: RiskRules | undefined
}

/**
 * Price that sizes a market entry: the latest one known at the decision, or the next open, at which it trades
 * (backtests only; that price is in the future when the order is sent).
 */
export type SizingReference = 'decision' | 'nextOpen'

export interface EngineOptions {
  /** Name of the bot; part of every clientOrderId. */
  readonly bot: string
  readonly ledger: Ledger
  readonly strategies: readonly StrategyRunnerOptions[]
  /** Default: `decision`. */
  readonly sizingReference?: SizingReference
  /** See `UnfinishedExitsOptions`; default: 10. */
  readonly exitsAtOnce?: number | undefined
  /** Limits and protections of the account; default: none. */
  readonly risk?: RiskRules | undefined
  /**
   * False if nobody reads the notices of signals, order changes and booked fills, which are then not made;
   * default: true.
   */
  readonly isObserved?: boolean
  /** Checks that always apply; default: `STANDARD_CHECKS`. */
  readonly checks?: readonly RiskCheck[]
}
