import type { Interval } from '../domain/market-data/interval.ts'
import type { Size } from '../domain/signal.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RiskCheck } from '../risk/risk-check.ts'
import type { RiskRules } from '../risk/risk-rules.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { GivenParameter } from '../strategy/parameters.ts'

/** An instrument that a strategy knows by a role. */
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
  /** The books that it has already, by role; that of its own instrument under ''. Default: see `bookNames`. */
  readonly books?: Readonly<Record<string, string>> | undefined
  /** Its own limits and protections, beside those of the account. */
  readonly risk?: RiskRules | undefined
}

/**
 * At which price a market entry is sized: the latest one known at the decision, or the next opening, at which it
 * trades (a backtest only; nobody can know that price when sending the order).
 */
export type SizingReference = 'decision' | 'nextOpen'

/** What an engine is made of. */
export interface EngineOptions {
  /** Name of the bot; part of every clientOrderId. */
  readonly bot: string
  readonly ledger: Ledger
  readonly strategies: readonly StrategyRunnerOptions[]
  /** Default: `decision`. */
  readonly sizingReference?: SizingReference
  /** Limits and protections of the account; default: none. */
  readonly risk?: RiskRules | undefined
  /** What is checked in any case; default: `STANDARD_CHECKS`. */
  readonly checks?: readonly RiskCheck[]
}
