import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { LedgerState } from '../ledger/ledger.ts'
import type { EngineRiskSnapshot } from './risk/engine-risk.ts'
import type { MarketTraderState } from './strategy/market-trader.ts'
import type { FeedState } from './strategy/strategy-feed.ts'
import type { TimersState } from './strategy/strategy-timers.ts'

/** Version of an engine's state; another version is not restored. */
export const ENGINE_STATE_VERSION = 3

/** Strategy, markets, parameters and roles. */
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

/** A strategy as plain data; its indicators are not part of it, they are made again from klines. */
export interface StrategyRunnerState extends StrategyIdentity {
  /** Market time (ms UTC); NaN before the first. */
  readonly time: number
  /** Number of closed klines seen of its own instrument and interval. */
  readonly klines: number
  readonly failed: boolean
  /** Reason of the halt of its instrument that stopped it, a sentence; absent otherwise. */
  readonly haltedBy?: string | undefined
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
  /** By strategy, in the order of their declaration; stored in journals under this key. */
  readonly desks: readonly StrategyRunnerState[]
}

/** The klines that an engine has seen of a series, oldest first. */
export type SeenKlines = (symbol: string, interval: Interval) => Iterable<Kline>
