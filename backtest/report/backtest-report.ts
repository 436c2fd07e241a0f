import type { SimulatedFill } from '../fills/simulated-fill.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import type { ProfitSources } from '../results/profit-sources.ts'
import type { MarginReport } from './text/margin-report.ts'
import type { Ambiguity, Bounds, ReportedFunding } from './text/report-section.ts'
import type { TradingReport } from './trading-report.ts'

/** Result of a backtest with its manifest. Every kind of report is made from this alone. */
export interface BacktestReport extends TradingReport {
  /** Name of the strategy, or of several. */
  readonly strategy: string
  readonly manifest: Manifest
  /** The configuration with its defaults filled in; `bigint` and `Map` are allowed. */
  readonly settings: unknown
  /** Rules of the fill model, by which rounding is told apart from slippage. */
  readonly fillSettings?: FillSettings
  /** In order of time. */
  readonly fills: readonly SimulatedFill[]
  /** Exact sources of the change of equity. */
  readonly profit: ProfitSources
  readonly ambiguity: Ambiguity
  /** Results of the worst and the best path inside klines, if the run played them. */
  readonly bounds?: Bounds
  /** Leverage, margin use and rules of a futures account. */
  readonly margin?: MarginReport | undefined
  /** Each funding payment, where the run charged funding. In order of time. */
  readonly funding?: readonly ReportedFunding[]
}
