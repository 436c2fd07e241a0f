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

/** What a scope is worth now: the account its equity; a strategy what it has earned, open positions at their latest price. */
export interface Marked {
  readonly type: 'marked'
  readonly result: Amount
  /** Of the account, in the same asset. */
  readonly equity: Amount
  /** Market time, ms UTC. */
  readonly time: number
}

/** Money came into the account, or (negative) left it, other than by trading. */
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

/** What a protection wants: to hold trading back, or to let it go on. */
export type ProtectionChange =
  | { readonly type: 'hold'; readonly hold: TradingHold }
  | { readonly type: 'lift' }

/** A state machine that watches facts in order. */
export interface Protection {
  readonly name: ProtectionName
  /** Takes a fact; `undefined` where nothing changes. */
  see(fact: RiskFact): ProtectionChange | undefined
  /** Whether `see` would hold at a mark, or first needs one to compare with: such a mark need not wait for a kline. */
  isDue?(mark: Marked): boolean
  /** What has happened so far no longer counts: somebody resumed, or the bot was restarted. */
  forget(): void
  /** Its state as plain data. */
  snapshot(): unknown
  /** Takes over what `snapshot` gave. */
  restore(state: unknown): void
}
