import type {
  ClockMeasured,
  DataFresh,
  DataStale,
  KlinesMissed,
  SpreadSeen,
} from '../../domain/events/trading-event.ts'
import type { ProtectionName, TradingHold } from '../../domain/events/trading-hold.ts'
import type { Amount } from '../../domain/numbers/amount.ts'
import type { Purpose } from '../../domain/orders/order-intent.ts'

/**
 * Present result of a scope: the equity of an account, or the profit of a strategy with open positions at
 * their latest price.
 */
export interface Marked {
  readonly type: 'marked'
  readonly result: Amount
  /** Of the account, in the same asset. */
  readonly equity: Amount
  /** Market time, ms UTC. */
  readonly time: number
  /** At midnight, it belongs to the day that begins, as a fill then does; a close belongs to the day that ends. */
  readonly follows?: boolean
}

/** A deposit, or (negative) a withdrawal. */
export interface Funded {
  readonly type: 'funded'
  readonly amount: Amount
}

/** A part of a position was closed. */
export interface Exited {
  readonly type: 'exited'
  readonly purpose: Purpose
  readonly time: number
}

/** A position is flat again, or turned. */
export interface TradeClosed {
  readonly type: 'tradeClosed'
  /** Of all its round trips together, in quote. */
  readonly pnl: Amount
  readonly time: number
}

/** Everything that protections watch. */
export type RiskFact =
  | Marked
  | Funded
  | Exited
  | TradeClosed
  | DataStale
  | DataFresh
  | KlinesMissed
  | ClockMeasured
  | SpreadSeen

/** Change requested by a protection: hold trading, or lift its hold. */
export type ProtectionChange =
  | { readonly type: 'hold'; readonly hold: TradingHold }
  | { readonly type: 'lift' }

/** A state machine that watches facts in order. */
export interface RiskProtection {
  readonly name: ProtectionName
  /** Processes a fact; `undefined` without a change. */
  observe(fact: RiskFact): ProtectionChange | undefined
  /**
   * True if `see` would hold at a mark, or needs a first one as reference: such a mark need not wait for a
   * kline.
   */
  isDue?(mark: Marked): boolean
  /** Resets the history, after a resume or a restart of the bot. */
  forget(): void
  /** Its state as plain data. */
  snapshot(): unknown
  /** Restores a snapshot. */
  restore(state: unknown): void
}
