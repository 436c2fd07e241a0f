import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { LedgerState } from '../ledger/ledger.ts'
import type { BestPricesState } from './brackets/best-prices.ts'
import type { BracketState } from './brackets/brackets.ts'
import type { SignalExecutorState } from './decisions/signal-executor.ts'
import type { ExpiringOrder } from './orders/order-expiry.ts'
import type { OrderPlacerState } from './orders/order-placer.ts'
import type { EngineRiskSnapshot } from './risk/engine-risk.ts'
import type { FeedState } from './strategy/strategy-feed.ts'
import type { TimersState } from './strategy/strategy-timers.ts'

/** Version of what stands in an engine's state; one of another version is not taken over. */
export const ENGINE_STATE_VERSION = 3

/** Which strategy runs on what, and how. */
export interface StrategyIdentity {
  /** Name of the strategy. */
  readonly strategy: string
  readonly symbol: string
  /** The book that it trades; see `bookNames`. */
  readonly book: string
  readonly interval: Interval
  /** JSON of its parameters. */
  readonly parameters: string
  /** JSON of its roles and their instruments. */
  readonly roles: string
}

/** State of one strategy on one instrument that it trades, as plain data. */
export interface MarketTraderState {
  /** The book that it trades. */
  readonly book: string
  /** Latest price; NaN before the first. */
  readonly price: number
  /** How often an operator's wish to close is still tried. */
  readonly closingTries: number
  /** Journals know the order placer by this key. */
  readonly orderDesk: OrderPlacerState
  readonly decisions: SignalExecutorState
  readonly brackets: readonly BracketState[]
  /** Where anything is held and a price was seen since. */
  readonly bests?: BestPricesState
  readonly lifetimes: readonly ExpiringOrder[]
  /** Which entry of each group filled first. */
  readonly groups: readonly (readonly [group: string, clientOrderId: string])[]
}

/** A strategy as plain data; its indicators are not part of it, they are made again from klines. */
export interface StrategyRunnerState extends StrategyIdentity {
  /** Market time (ms UTC); NaN before the first. */
  readonly time: number
  /** Klines of its own seen. */
  readonly klines: number
  readonly failed: boolean
  /** Trading has begun, but `onStart` waits for the end of the warm-up. */
  readonly starting: boolean
  /** The strategy's own state, and its version. */
  readonly memory?: unknown
  readonly memoryVersion: number
  /** In the order of their declaration. */
  readonly feeds: readonly FeedState[]
  readonly timers: TimersState
  /** Its own market, then those of its roles. */
  readonly markets: readonly MarketTraderState[]
}

/** Everything that an engine's next outputs depend on, besides the klines that it has seen. */
export interface EngineState {
  readonly version: typeof ENGINE_STATE_VERSION
  readonly ledger: LedgerState
  readonly risk: EngineRiskSnapshot
  /** By strategy, in the order of their declaration; journals know them by this key. */
  readonly desks: readonly StrategyRunnerState[]
}

/** The klines that an engine has seen of a series, oldest first. */
export type SeenKlines = (symbol: string, interval: Interval) => Iterable<Kline>
