import type { TradingStateChanged } from '../../src/domain/events/engine-output.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { AccountState } from '../../src/ledger/account-balances.ts'
import type { ReplayedMarket } from '../metrics/market.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { EquityCurve } from '../metrics/returns/equity-curve.ts'
import type { CostedFill } from '../metrics/round-trips/costed-fill.ts'
import type { ReplacedExit } from '../results/backtest-result.ts'
import type { CutOrders } from '../results/cut-orders.ts'
import type { DenialCounts } from '../results/denial-tally.ts'
import type { MissedTargets } from '../results/missed-targets.ts'
import type { RecordedChart } from './chart/recorded-chart.ts'
import type { MarginReport } from './text/margin-report.ts'
import type { Ambiguity, ReportPart } from './text/report-section.ts'

/** Results of trading, by a backtest or by a bot: what figures, charts and tables of a report are made of. */
export interface TradingReport {
  readonly metrics: Metrics
  /** Asset that money is counted in. */
  readonly quote: string
  /** At least one; charts show the first. */
  readonly markets: readonly ReplayedMarket[]
  /** In order of exit. */
  readonly roundTrips: readonly RoundTrip[]
  /** In order of time. */
  readonly fills: readonly CostedFill[]
  readonly equity: EquityCurve
  /** Buy and hold, at the times of `equity`; only its course counts, not its size. */
  readonly benchmark: EquityCurve | undefined
  /** Number of signals of all strategies. */
  readonly signals: number
  /** Orders placed, protective ones apart. */
  readonly orders: number
  /** Denials by rule. */
  readonly denials: DenialCounts
  /** Orders that the market cut off; see `BacktestResult`. */
  readonly cutOrders?: readonly CutOrders[]
  /** See `BacktestResult`. */
  readonly missedTargets?: readonly MissedTargets[]
  /** See `BacktestResult`. */
  readonly replacedExits?: readonly ReplacedExit[]
  /** Every change of the trading mode, in order; absent without configured limits or protections. */
  readonly tradingChanges?: readonly TradingStateChanged[]
  /** Reasons that strategies ended early, as sentences. */
  readonly endings?: readonly string[]
  /** Positions still open at the end. */
  readonly openPositions: readonly Position[]
  /** Equity fell to zero: everything was closed and trading stopped. */
  readonly ruined: boolean
  /** Dependence on the path inside klines; absent where trading was real. */
  readonly ambiguity?: Ambiguity
  /** Final state of each account, if there are several. */
  readonly accounts?: readonly AccountState[] | undefined
  readonly margin?: Pick<MarginReport, 'liquidations'> | undefined
  /** Further content of charts, besides klines and round trips, by book; absent if the run did not record it. */
  readonly charts?: ReadonlyMap<string, RecordedChart>
  /** Instruments or strategies of the run by themselves, where there are several. */
  readonly parts?: readonly ReportPart[]
}
