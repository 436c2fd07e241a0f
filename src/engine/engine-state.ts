import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import type { LedgerState } from '../ledger/ledger.ts'
import type { BestPricesState } from './brackets/best-prices.ts'
import type { BracketState } from './brackets/brackets.ts'
import type { DecisionDeskState } from './decisions/decision-desk.ts'
import type { Lifetime } from './orders/lifetimes.ts'
import type { OrderDeskState } from './orders/order-desk.ts'
import type { EngineRiskSnapshot } from './risk/engine-risk.ts'
import type { FeedState } from './strategy/desk-feed.ts'
import type { TimersState } from './strategy/desk-timers.ts'

/** Version of what stands in an engine's state; one of another version is not taken over. */
export const ENGINE_STATE_VERSION = 3

/** Which strategy runs on what, and how. */
export interface DeskIdentity {
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

/** What a desk keeps of one instrument that it trades, as plain data. */
export interface MarketDeskState {
  /** The book that it trades. */
  readonly book: string
  /** Latest price; NaN before the first. */
  readonly price: number
  /** How often an operator's wish to close is still tried. */
  readonly closingTries: number
  readonly orderDesk: OrderDeskState
  readonly decisions: DecisionDeskState
  readonly brackets: readonly BracketState[]
  /** Where anything is held and a price was seen since. */
  readonly bests?: BestPricesState
  readonly lifetimes: readonly Lifetime[]
  /** Which entry of each group filled first. */
  readonly groups: readonly (readonly [group: string, clientOrderId: string])[]
}

/** A desk as plain data; its indicators are not part of it, they are made again from klines. */
export interface DeskState extends DeskIdentity {
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
  readonly markets: readonly MarketDeskState[]
}

/** Everything that an engine's next outputs depend on, besides the klines that it has seen. */
export interface EngineState {
  readonly version: typeof ENGINE_STATE_VERSION
  readonly ledger: LedgerState
  readonly risk: EngineRiskSnapshot
  readonly desks: readonly DeskState[]
}

/** The klines that an engine has seen of a series, oldest first. */
export type SeenKlines = (symbol: string, interval: Interval) => Iterable<Kline>
