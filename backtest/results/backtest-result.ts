import type { Notice, TradingStateChanged } from '../../src/domain/events/engine-output.ts'
import type { FundingPayment } from '../../src/domain/events/funding-payment.ts'
import type { Amount } from '../../src/domain/numbers/amount.ts'
import type { Denial } from '../../src/domain/orders/denial.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { AccountState } from '../../src/ledger/account-balances.ts'
import type { SimulatedFill } from '../fills/simulated-fill.ts'
import type { MarginFigures } from '../futures/margin-use.ts'
import type { TimedLiquidation } from '../futures/timed-liquidation.ts'
import type { CutOrders } from './cut-orders.ts'
import type { DenialCounts } from './denial-tally.ts'
import type { MissedTargets } from './missed-targets.ts'
import type { ProfitSources } from './profit-sources.ts'

/** An exit that still had to close some of its position when a signal took its place. */
export type ReplacedExit = Extract<Notice, { type: 'exitReplaced' }>

export interface BacktestResult {
  /** When each equity value was known: every time at which a kline of any market closed, ms UTC, ascending. */
  readonly equityTime: Float64Array
  /**
   * Equity in quote at each of these times, once every kline that closes then has closed: the quote balance, and the base of
   * each instrument at the close of its latest kline (before its first one, at the open of that). Zero from a ruin on.
   */
  readonly equity: Float64Array
  /** Number of fills, without making an object of each as `fills` does on its first read. */
  readonly fillCount: number
  /** In order of time, each with the rule it follows from. */
  readonly fills: readonly SimulatedFill[]
  /** In order of exit. */
  readonly roundTrips: readonly RoundTrip[]
  /**
   * Round trips (indices into `roundTrips`, ascending) that depend on the path inside a kline, under any
   * assumed path: their exit shared its kline with another exit of the same entry that the kline also
   * reaches, or with an entry that may have come after it; their trailing stop traded on a kline that moved
   * it; the kline of their entry also reached another entry of its group; or, on the kline of their entry, a
   * protective order or the pull-back of a stop-limit order may or may not have traded. With `detail`, the
   * finer klines count. Not counted are later consequences of such a round trip, nor the order of several
   * entries on one kline.
   */
  readonly ambiguousRoundTrips: readonly number[]
  /** The first 1,000, in order of time. */
  readonly denials: readonly Denial[]
  /** Number of denials by each rule. */
  readonly denialCounts: DenialCounts
  /** Entries and exits that the market ended before all of their quantity had traded, summed up by instrument and cause. */
  readonly cutOrders: readonly CutOrders[]
  /** Targets that stayed missed because a step was too coarse, by instrument. */
  readonly missedTargets: readonly MissedTargets[]
  /** Exits whose rest an entry or a target took the place of, in order. */
  readonly replacedExits: readonly ReplacedExit[]
  /** Every change of the trading mode, in order. */
  readonly tradingChanges: readonly TradingStateChanged[]
  /** Reasons that strategies ended early, as sentences. */
  readonly endings: readonly string[]
  readonly signals: number
  /** Number of placed orders, without protective and denied ones. */
  readonly orders: number
  /** Positions still open at the end, in the order of the markets. */
  readonly openPositions: readonly Position[]
  /**
   * Open positions (indices into `openPositions`, ascending) that another path inside a kline would have entered otherwise
   * or closed.
   */
  readonly ambiguousOpenPositions: readonly number[]
  /** Orders still working at the end. */
  readonly workingOrders: number
  /** Balances at the end, by asset; those of all accounts together. */
  readonly balances: ReadonlyMap<string, Amount>
  /** The same for each account, where there are several. */
  readonly accounts: readonly AccountState[] | undefined
  /** Equity fell to zero, the position was closed and trading stopped. */
  readonly ruined: boolean
  /** Each payment of funding, in order of time. */
  readonly funding: readonly FundingPayment[]
  /** Liquidations by the exchange, in order of time. */
  readonly liquidations: readonly TimedLiquidation[]
  /** Of a futures account. */
  readonly margin: MarginFigures | undefined
  /** Exact sources of the change of equity. */
  readonly profit: ProfitSources
}
