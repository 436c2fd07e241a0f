import type { Interval } from '../../domain/market-data/interval.ts'
import type { PassedCheck } from '../../domain/orders/denial.ts'

/** A kline as numbers, in quote per base. */
export interface ShownKline {
  /** ms UTC. */
  readonly openTime: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** An order that a decision led to, or that risk denied; quantities and money are exact text. */
export interface AssessedOrder {
  readonly clientOrderId: string
  readonly side: string
  readonly purpose: string
  /** Type with its prices on the grid. */
  readonly plan: string
  /** Wanted quantity with its unit, before it was put on the grid: at most three decimals finer than it. */
  readonly wanted: string
  /** On the grid, with its unit; absent if it was denied. */
  readonly quantity?: string
  /** Latest price at the decision, in quote. */
  readonly price: string
  /** Everything owned, and what was free, at the decision; absent if nobody listened to it. */
  readonly equity?: string
  readonly free?: string
  readonly passed: readonly PassedCheck[]
  readonly denial?: {
    readonly rule: string
    readonly limit: string
    readonly actual: string
    readonly message: string
    /** Key of the configuration that the limit follows. */
    readonly key?: string
  }
}

/** Kind of a decision by what came of it. */
export type DecisionOutcome = 'nothing' | 'signal' | 'ordered' | 'denied'

/** Decision of a strategy on one event, with its reasons. */
export interface DecisionRecord {
  /** Number of the decision in this history, from 1. */
  readonly id: number
  /** Market time of the event, ms UTC. */
  readonly time: number
  /** The event in words. */
  readonly cause: string
  readonly strategy: string
  readonly symbol: string
  readonly outcome: DecisionOutcome
  /** The kline at whose close it was decided, if it was one. */
  readonly kline?: ShownKline & { readonly interval: Interval }
  /** Values of the indicators at it; absent if nobody listened to the decision. */
  readonly indicators?: Readonly<Record<string, unknown>>
  /** Holdings, equity and free money at the decision, as text; absent where the values of indicators are. */
  readonly owned?: { readonly held: string; readonly equity: string; readonly free: string }
  /** Why a signal of it led to no order, in sentences; absent where that is not known. */
  readonly idle?: string
  /** Signals in words. */
  readonly signals: readonly string[]
  readonly orders: readonly AssessedOrder[]
  /** Other consequences, in sentences: cancels, holds, failures. */
  readonly notes: readonly string[]
}
